/**
 * Conversations as agents and people have them, written down with their times. A post is the letter of its author (A is the first name),
 * the seconds since the post before, and the number of its room, if it is not the first: `B12/2`.
 */

export interface Conversation {
  title: string;
  names: string[];
  posts: string;
}

export interface TimedPost {
  name: string;
  after_seconds: number;
  /** From 0. */
  room: number;
}

export const postsOf = ({ names, posts }: Conversation): TimedPost[] =>
  posts
    .trim()
    .split(/\s+/)
    .map((post) => {
      const [, letter, seconds, room = "1"] = /^([A-F])(\d+)(?:\/(\d))?$/.exec(post)!;
      return {
        name: names["ABCDEF".indexOf(letter!)]!,
        after_seconds: Number(seconds),
        room: Number(room) - 1,
      };
    });

export const honest_conversations: Conversation[] = [
  {
    title: "the review of a patch, comment by comment",
    names: ["author", "reviewer"],
    posts: `
      A0 B35 A71 A9 B63 A50 B75 A119 B90 A44 B68 A107 B27 A97 B37 A41 B40 A97 B76 B6 A145 B50 A96 A7 B35 A105 B52 A89 B72
      A121 A6 B33 A149 B48 A112 B25 A60 B57 A135 B58 A71 B77 A95 B49 A137 B82 A48 A6 B36`,
  },
  {
    title: "planning by two agents, with two people who speak now and then",
    names: ["planner", "critic", "Maria", "Tom"],
    posts: `
      A0 B23 B12 A23 B7 C23 A12 A8 B23 B11 A4 B21 B5 A18 D15 B8 B17 D50 B8 A6 A7 B5 C49 A16 D18 D30 A18 A11 B22 B18 C39 D19
      A18 A11 B5 B18 B24 C61 B4 A15 A25 B19 B10 A12 B7 C32 A22 A25 B13 D40 C42 D48 B8 B23 D63 A23 B10 D32 A10 B9`,
  },
  {
    title: "two agents that debug, at 8 to 20 seconds a post, with bursts of logs",
    names: ["debugger", "runner"],
    posts: `
      A0 B11 A15 B9 A9 B19 A10 B14 A16 B2 B2 B2 B2 B1 A20 A1 A1 A1 A2 B10 A17 B14 A12 B13 A14 B13 A8 B19 A17 B17 A9 B9 A9
      B16 A16 B16 A15 B11 A16 B8 A20 B14 A14 B15 A8 B9 A19 B16 A16 B18 A12 B8 A13 B9 A13 B12 A11 B12 A18 B13 A13 B8 A17 B9
      A9 B10 A11 B10 A11 B8 A12 B14 A16 B17 A8 B19 A19 B11 A18 B15 A16 B12 A13 B19 A11 B14 A9 B17 A14 B12 A1 A2 A2 B16 A12
      B17 A15 B8 A13 B11 A15 B17 A10 B20 A19 B9 A8 B9 A16 B14 A10 B9`,
  },
  {
    title: "a hand-over: eighteen notes at once, then questions",
    names: ["night-shift", "day-shift"],
    posts: `
      A0 A2 A1 A1 A4 A3 A2 A4 A4 A4 A2 A3 A3 A2 A3 A3 A2 A4 B35 B37 A14 A2 A2 B25 A13 B38 A13 B21 A15 A2 A2 B26 A5 B21 A11
      B13 A11 A2 A2 B21 A10 B37 A11`,
  },
  {
    title: "a poll of six: a question, five answers at once, and the next question",
    names: ["chair", "ann", "ben", "cem", "dia", "eli"],
    posts: `
      A0 D4 E5 C1 F5 B3 A5 A19 C3 E1 D4 F2 B1 A9 A12 E1 B2 D1 F3 C3 A9 A11 E5 F6 D4 C6 B5 A8 A6 D1 E3 C4 B3 F1 A7 A9 C1 D5
      B4 E5 F4 A4`,
  },
  {
    title: "an incident: six names and a hundred posts in ten minutes",
    names: ["oncall", "database", "deploy", "monitor", "support", "Lea"],
    posts: `
      C0 C5 A6 D3 D7 F7 A3 F5 A4 C8 B5 C5 B8 B8 B6 A2 B2 E2 E4 F7 B7 C2 A5 A7 D10 B8 A10 B10 A5 E7 E7 C5 A5 B4 A10 C4 B6 B7
      F4 E2 A5 C4 A2 A3 A8 C3 C3 B7 B8 E6 F5 A5 E3 C8 B7 A10 E3 A6 B2 B6 A5 A6 C7 E2 B8 C7 C5 B4 B2 E3 B3 C5 C10 A4 B4 C8
      F10 A2 C8 A4 B5 A5 B4 A4 A2 B5 C5 A6 B5 A5 B3 B5 C2 C6 C5 B8 E5 A5 E4 B10 C10 C8 B6 B8`,
  },
  {
    title: "two people who type fast",
    names: ["Nora", "Ivan"],
    posts: `
      A0 A5 A4 B9 B3 B2 A5 A5 A5 B11 A6 B8 A6 A5 A3 B6 B3 A5 A2 B11 B4 A8 B10 B4 B6 A7 A48 B11 B4 A5 A5 B11 B6 A4 A2 B7 A9
      B8 A9 B10 A7 B6 B5 A8 B7 A7 B7 B4 A9 B4 A11 B5 B4 A7 B8 B5 A9 A3 B7 A8 B10 B2 A8 A4 A5 B10 A10 A4 B7 B4 A10 A2 A4 A3
      B6 B5 B5 A4 B5 B4 A5 B8 A9 B8 B6 B4 B5 A8 B9 A4 A6 A5 A4 B8 A7 A2 B11 A4 B4 A9 B4 A10 B4 B6 A4 B11 B3 A7 B4 A9 B9 B2
      A6 A70 B7 A8 B11 A9`,
  },
  {
    title: "two agents that each post a step of their builds every 12 seconds, with pauses between builds",
    names: ["build-linux", "build-mac"],
    posts: `
      A0 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A59 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6
      A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A40 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6
      A6 B6 A57 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A6 B6 A36`,
  },
  {
    title: "one agent that posts each result of a long test run, and one that reads along",
    names: ["tester", "reader"],
    posts: `
      A0 A5 A5 A8 A8 A10 A7 A9 A10 A5 A6 A8 A6 A9 A9 A8 A5 A8 A10 A6 A10 A9 A5 A9 B10 A7 A6 A8 A9 A5 A10 A6 A8 A10 A5 A7 A9
      A10 A8 A9 A8 A5 A7 A9 A10 A7 A7 A6 A8 B26 A9 A9 A9 A5 A8 A8 A10 A9 A10 A6 A7 A7 A10 A7 A8 A6 A6 A5 A7 A9 A8 A6 A6 A7
      B11 A5 A6 A8 A10 A6 A5 A8 A5 A9 A6 A5 A8 A7 A9 A5 A7 A7 A5 A6 A10 A10 A6 A5 A7 B28`,
  },
  {
    title: "two agents that work on three tasks in three rooms at once",
    names: ["front", "back"],
    posts: `
      B0 B15 B9/3 A15/2 B12/3 A12/3 A15/3 B12/2 B10/3 B5 B9 B16/3 A16/2 A9/3 B11/3 B7 A10/2 B16/3 A15 A7/3 B13 A7/2 B9 A16
      B6/2 B9/3 B12 B8/3 A13/2 B8 A5 B11 A11/2 A13/3 A13 B9 A13 A16 B8 A5 A15/2 B12/3 B7/2 A11/2 A10/2 A7 B8/2 B8/3 B11 A6/2
      B9/2 B11 A12/2 A11/2 A7 B5/2 A14 B12/3 A8/3 B15 B9/3 B16 B7/2 B13 A8 B13 A14/3 B9 B14/3 A10/3 B14/3 A7/2 B11/2 A16/3
      A12/2 A8 B9 B13/3 B14 B6/3 B9/3 A16 A8 A11 A10 A12 B10/3 B7 B12/3 A16 A8 A12 B11/3 B10 B6/2 B13/3 A11/3 B13/3 B8/3
      B13/3`,
  },
];

export const a_loop: Conversation = {
  title: "two agents that thank each other",
  names: ["polite", "grateful"],
  posts: `
    A0 B1 A3 B1 A2 B3 A3 B2 A3 B2 A1 B3 A1 B2 A3 B2 A2 B2 A2 B2 A1 B2 A1 B3 A3 B2 A1 B3 A3 B3 A1 B2 A1 B1 A1 B3 A3 B3 A1
    B2 A3 B2 A1 B3 A1 B1 A3 B3 A3 B1 A3 B1 A2 B3 A2 B1 A3 B1 A2 B2 A1 B3 A3 B1 A1 B3 A1 B3 A3 B3`,
};
