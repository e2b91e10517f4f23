// A hidden-hand card game on boardgame.io's reducer, with the mover's view: on each line read from
// stdin it plays for so many seconds and writes moves a second.
process.env.NODE_ENV = 'production';
const { createInterface } = require('readline');
const { INVALID_MOVE, PlayerView } = require('boardgame.io/core');
const {
  CreateGameReducer, InitializeGame, getFilterPlayerView,
} = require('boardgame.io/internal');

const SEATS = 4;
const HAND = 5;

const game = {
  name: 'hands',
  playerView: PlayerView.STRIP_SECRETS,
  setup: ({ ctx, random }) => {
    const deck = random.Shuffle(Array.from({ length: 52 }, (_, card) => card));
    const players = {};
    for (let seat = 0; seat < ctx.numPlayers; seat++) {
      players[seat] = { hand: deck.splice(0, HAND) };
    }
    return { secret: { deck }, players, played: [] };
  },
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: ({ G, playerID, random }, index) => {
      const { hand } = G.players[playerID];
      if (!(index >= 0 && index < hand.length)) return INVALID_MOVE;
      G.played.push(hand.splice(index, 1)[0]);
      if (G.secret.deck.length === 0) {
        G.secret.deck = random.Shuffle(G.played);
        G.played = [];
      }
      hand.push(G.secret.deck.pop());
    },
  },
};

const reducer = CreateGameReducer({ game });
const filter = getFilterPlayerView(game);
let state = InitializeGame({ game, numPlayers: SEATS });

function move() {
  const seat = state.ctx.currentPlayer;
  const args = [Math.floor(Math.random() * HAND)];
  const next = reducer(state, {
    type: 'MAKE_MOVE', payload: { type: 'play', args, playerID: seat },
  });
  if (next._stateID === state._stateID) throw new Error('the move was refused');
  filter(seat, { type: 'update', args: ['meeting', next] });
  const { deltalog, ...kept } = next;
  state = kept;
}

function rate(seconds) {
  const began = process.hrtime.bigint();
  let moves = 0;
  let passed = 0;
  while (passed < seconds) {
    for (let i = 0; i < 100; i++) move();
    moves += 100;
    passed = Number(process.hrtime.bigint() - began) / 1e9;
  }
  return moves / passed;
}

createInterface({ input: process.stdin }).on('line', (line) => {
  console.log(JSON.stringify(rate(Number(line))));
});
