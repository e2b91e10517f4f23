/**
 * Plays a whole meeting of each game with a client made by openapi-typescript and openapi-fetch.
 *
 *     node play.js http://127.0.0.1:8080 bookmaker tuyaux
 *
 * Two people sit down, both played by this program; the third seat is a bot of the server. What
 * happened is written as JSON, a line for each meeting.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./generated/api.js";

type Schemas = components["schemas"];
type Api = Client<paths>;
type Meeting = { params: { path: { meeting: string } } };

const [baseUrl = "http://127.0.0.1:8080", ...games] = process.argv.slice(2);

/** A refusal: what the server says is wrong, in a form that programs can read. */
class Refused extends Error {
  constructor(readonly problem: Schemas["Problem"]) {
    super(`${problem.code}: ${problem.detail}`);
  }
}

/** What was answered; a refusal is thrown. */
function told<T>({ data, error }: { data?: T; error?: Schemas["Problem"] }): T {
  if (error !== undefined) throw new Refused(error);
  if (data === undefined) throw new Error("the answer has no body");
  return data;
}

async function register(name: string): Promise<Api> {
  const anybody = createClient<paths>({ baseUrl });
  const { token } = told(await anybody.POST("/v1/players", { body: { name } }));
  return createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
}

/** A table of three; of each game one option is set, to the value that it has by default. */
function table(game: string): Schemas["OpenMeeting"] {
  const seats = 3;
  switch (game) {
    case "bookmaker":
      return { game, seats, options: { programme: ["plain", "plain", "plain"] } };
    case "change-horses":
      return { game, seats, options: { turn_order: "basic" } };
    case "ticket-gagnant":
      return { game, seats, options: { photo_finish: "draw" } };
    case "tuyaux":
      return { game, seats, options: { bets: "win" } };
    default:
      throw new Error(`this client knows no ${game}`);
  }
}

/** A command of each game, made by hand. */
function firstWish(game: Schemas["OpenMeeting"]["game"]): Schemas["Command"] {
  switch (game) {
    case "bookmaker":
      return { type: "bookmaker.place_bet", bookmaker: 2, horse: "red", stake: 10 };
    case "change-horses":
      return { type: "change-horses.play_wild", option: "fast" };
    case "ticket-gagnant":
      return { type: "ticket-gagnant.play_card", card: "red-1", direction: "left" };
    case "tuyaux":
      return { type: "tuyaux.bet", win: ["perle"] };
  }
}

/** What this seat plays: at times what the server would play for it, else one of what it may. */
function choose(may: Schemas["ActionList"], turn: number): Schemas["Command"] | null {
  if (may.default === null) return null; // nothing is owed: others are waited for
  return (turn % 3 > 0 && may.actions[turn % may.actions.length]) || may.default;
}

/** One command of a player; false where it owes none, or the table moved on meanwhile. */
async function act(player: Api, meeting: Meeting, turn: number): Promise<boolean> {
  const may = told(await player.GET("/v1/meetings/{meeting}/actions", meeting));
  const command = choose(may, turn);
  if (command === null || may.decision === null) return false;
  const body: Schemas["Command"] = { ...command, decision: may.decision };
  const header = { "Idempotency-Key": randomUUID() }; // posted again it would be done once only
  const params = { ...meeting.params, header };
  try {
    const done = told(await player.POST("/v1/meetings/{meeting}/commands", { params, body }));
    return done.board.version === done.version;
  } catch (error) {
    if (error instanceof Refused && error.problem.code === "stale_decision") return false;
    throw error;
  }
}

/** All events that a player may see. */
async function feed(player: Api, meeting: Meeting): Promise<Schemas["Event"][]> {
  const events: Schemas["Event"][] = [];
  for (let after: number | null = 0; after !== null; ) {
    const params: { path: { meeting: string }; query: { after: number } } = {
      ...meeting.params,
      query: { after },
    };
    const page: Schemas["EventPage"] = told(
      await player.GET("/v1/meetings/{meeting}/events", { params }),
    );
    events.push(...page.items);
    after = page.next_cursor;
  }
  return events;
}

/** What a reader of a feed makes of it: each type of event has its own fields. */
function story(events: Schemas["Event"][]): Record<string, number> {
  const told: Record<string, number> = {};
  for (const event of events) {
    switch (event.type) {
      case "meeting_finished":
        told["places"] = event.ranking.length;
        break;
      case "bookmaker.bet_placed":
        told["staked"] = (told["staked"] ?? 0) + event.stake;
        break;
      case "change-horses.card_played":
      case "ticket-gagnant.card_played":
      case "tuyaux.tip_played":
        told[event.card] = (told[event.card] ?? 0) + 1;
        break;
    }
  }
  return told;
}

async function play(game: string): Promise<object> {
  const [ann, ben] = [await register("Ann"), await register("Ben")];
  const open = table(game);
  const { id } = told(await ann.POST("/v1/meetings", { body: open }));
  const meeting: Meeting = { params: { path: { meeting: id } } };
  const seats = "/v1/meetings/{meeting}/seats";
  told(await ann.POST(seats, { ...meeting, body: { nonce: "a number of Ann's" } }));

  const early = await ann.POST("/v1/meetings/{meeting}/start", meeting);
  const seatsOpen = early.error?.code;
  const wish = { ...meeting, body: firstWish(open.game) };
  const unstarted = (await ann.POST("/v1/meetings/{meeting}/commands", wish)).error?.code;

  told(await ann.POST(seats, { ...meeting, body: { bot: "steady" } }));
  told(await ben.POST(seats, { ...meeting, body: {} }));
  told(await ann.POST("/v1/meetings/{meeting}/start", meeting));
  const late = { ...meeting, body: { ...wish.body, decision: 1 } };
  const stale = (await ann.POST("/v1/meetings/{meeting}/commands", late)).error;
  const missed = stale?.events?.map((event) => event.type) ?? [];

  let commands = 0;
  let summary: Schemas["MeetingSummary"];
  do {
    const acted = [await act(ann, meeting, commands), await act(ben, meeting, commands)];
    commands += acted.filter(Boolean).length;
    if (!acted.includes(true)) await sleep(20);
    summary = told(await ann.GET("/v1/meetings/{meeting}", meeting));
  } while (summary.status === "running");

  const board = told(await ann.GET("/v1/meetings/{meeting}/board", meeting));
  const log = told(
    await ann.GET("/v1/meetings/{meeting}/log", { ...meeting, parseAs: "text" }),
  );
  return {
    meeting: id,
    game: board.game,
    refused: [seatsOpen, unstarted, stale?.code],
    missed,
    commands,
    ranking: summary.ranking,
    seen: story(await feed(ann, meeting)),
    log_lines: log.split("\n").length - 1,
    leaders: await leaders(ann, game, id),
  };
}

/** The leaderboard, once this meeting counts in it. */
async function leaders(player: Api, game: string, meeting: string): Promise<Schemas["LeaderboardRow"][]> {
  const me = told(await player.GET("/v1/me"));
  for (;;) {
    const params = { path: { game } };
    const { items } = told(await player.GET("/v1/leaderboards/{game}", { params }));
    if (items.some((row) => row.player === me.id)) return items;
    await sleep(50);
  }
}

for (const game of games) console.log(JSON.stringify(await play(game)));
