/**
 * Plays a whole meeting of each game with a client made by @hey-api/openapi-ts.
 *
 *     node play.js http://127.0.0.1:8080 bookmaker tuyaux
 *
 * Two people sit down, both played by this program; the third seat is a bot of the server. What
 * happened is written as JSON, a line for each meeting.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient, createConfig } from "./generated/client/index.js";
import * as api from "./generated/index.js";

const [baseUrl = "http://127.0.0.1:8080", ...games] = process.argv.slice(2);

/** A refusal: what the server says is wrong, in a form that programs can read. */
class Refused extends Error {
  constructor(readonly problem: api.Problem) {
    super(`${problem.code}: ${problem.detail}`);
  }
}

type Answer<T> = { data: T; error: undefined } | { data: undefined; error: api.Problem };

/** What was answered; a refusal is thrown. */
function told<T>(answer: Answer<T>): T {
  if (answer.error !== undefined) throw new Refused(answer.error);
  return answer.data;
}

/** A player at one table, with its own token. */
class Player {
  readonly client: Client;
  commands = 0;

  constructor(readonly me: api.Registered) {
    this.client = createClient(createConfig({ baseUrl, auth: me.token }));
  }

  static async register(name: string): Promise<Player> {
    const client = createClient(createConfig({ baseUrl }));
    return new Player(told(await api.registerPlayer({ client, body: { name } })));
  }

  /** The arguments of a call about a meeting. */
  at(meeting: string): { client: Client; path: { meeting: string } } {
    return { client: this.client, path: { meeting } };
  }

  /** Give one command, if one is owed; false where none is, or the table moved on meanwhile. */
  async act(meeting: string): Promise<boolean> {
    const may = told(await api.listActions(this.at(meeting)));
    if (may.default === null || may.decision === null) return false;
    const listed = may.actions[this.commands % may.actions.length];
    const command = this.commands % 3 > 0 && listed ? listed : may.default;
    const body: api.Command = { ...command, decision: may.decision };
    const headers = { "Idempotency-Key": randomUUID() }; // posted again it would be done once only
    const { error } = await api.giveCommand({ ...this.at(meeting), headers, body });
    if (error?.code === "stale_decision") return false;
    if (error !== undefined) throw new Refused(error);
    this.commands += 1;
    return true;
  }

  /** All events that this player may see. */
  async feed(meeting: string): Promise<api.Event[]> {
    const events: api.Event[] = [];
    let after: number | null = 0;
    while (after !== null) {
      const page: api.EventPage = told(
        await api.listEvents({ ...this.at(meeting), query: { after } }),
      );
      events.push(...page.items);
      after = page.next_cursor;
    }
    return events;
  }

  /** The leaderboard, once a meeting of this player counts in it. */
  async leaders(game: string): Promise<api.LeaderboardRow[]> {
    for (;;) {
      const { items } = told(
        await api.showLeaderboard({ client: this.client, path: { game } }),
      );
      if (items.some((row) => row.player === this.me.id)) return items;
      await sleep(50);
    }
  }
}

/** A table of three; of each game one option is set, to the value that it has by default. */
const tables: Record<api.OpenMeeting["game"], api.OpenMeeting> = {
  bookmaker: { game: "bookmaker", seats: 3, options: { odds_step: 1 } },
  "change-horses": { game: "change-horses", seats: 3, options: { races: 1 } },
  "ticket-gagnant": { game: "ticket-gagnant", seats: 3, options: { course: "standard" } },
  tuyaux: { game: "tuyaux", seats: 3, options: { whip: "last_turn" } },
};

/** What a board of its game shows of a race. */
function race(board: api.Board): string {
  switch (board.game) {
    case "bookmaker":
      return `${board.results?.length} races, ${board.seats[0]?.cash} dollars`;
    case "change-horses":
      return `${board.positions?.["1"]} is the first place`;
    case "ticket-gagnant":
      return `${board.horses?.length} horses`;
    case "tuyaux":
      return `${board.results?.length} races`;
  }
}

/** What a reader of a feed makes of it: each type of event has its own fields. */
function cards(events: api.Event[]): string[] {
  return events.flatMap((event) => {
    switch (event.type) {
      case "bookmaker.card_turned":
      case "change-horses.card_played":
      case "ticket-gagnant.card_played":
      case "tuyaux.tip_played":
        return [event.card];
      default:
        return [];
    }
  });
}

async function play(game: api.OpenMeeting["game"]): Promise<object> {
  const [ann, ben] = [await Player.register("Ann"), await Player.register("Ben")];
  const { id } = told(await api.openMeeting({ client: ann.client, body: tables[game] }));
  told(await api.takeSeat({ ...ann.at(id), body: { seat: 2 } }));

  const seatsOpen = (await api.startMeeting(ann.at(id))).error?.code;
  const foreign: api.Command =
    game === "bookmaker"
      ? { type: "tuyaux.play_tip", card: "perle-1" }
      : { type: "bookmaker.borrow", amount: 10 };
  const unstarted = (await api.giveCommand({ ...ann.at(id), body: foreign })).error?.code;

  told(await api.takeSeat({ ...ann.at(id), body: { bot: "random" } }));
  told(await api.takeSeat({ ...ben.at(id), body: { nonce: "a number of Ben's" } }));
  let meeting = told(await api.startMeeting(ann.at(id)));
  while (meeting.status === "running") {
    const acted = [await ann.act(id), await ben.act(id)];
    if (!acted.includes(true)) await sleep(20);
    meeting = told(await api.showMeeting(ann.at(id)));
  }

  const log: string = told(await api.exportLog({ ...ann.at(id), parseAs: "text" }));
  return {
    meeting: id,
    game: meeting.game,
    refused: [seatsOpen, unstarted],
    commands: ann.commands + ben.commands,
    ranking: meeting.ranking,
    board: race(told(await api.showBoard(ann.at(id)))),
    seen: cards(await ben.feed(id)),
    log_lines: log.split("\n").length - 1,
    leaders: await ben.leaders(game),
  };
}

for (const game of Object.values(tables).map((table) => table.game)) {
  if (games.includes(game)) console.log(JSON.stringify(await play(game)));
}
