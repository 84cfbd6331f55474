/** The types of the API, from its OpenAPI document. Written by scripts/client_types.ts: do not edit. */

/** What callers send and get. */
export interface Schemas {
  /**
   * Health
   * @description The service runs.
   */
  Health: {
    /**
     * @description It runs.
     */
    status: "ok";
  };
  /**
   * FaultyField
   * @description Why a field is not valid.
   */
  FaultyField: {
    /** @description JSON Pointer into the body, or the name of a parameter. */
    path: string;
    /** @description What is wrong with it. Never its value. */
    message: string;
    /** @description Places of characters that may not be there, in code points from 0. */
    at?: number[];
    /** @description The field that was meant. */
    did_you_mean?: string;
  };
  /**
   * Problem
   * @description RFC 9457 problem details.
   */
  Problem: {
    /**
     * Format: uri
     * @description A page that explains this code.
     */
    type: string;
    /** @description What the code means. */
    title: string;
    /** @description The status of the answer. */
    status: number;
    /** @description What happened this time. */
    detail: string;
    /** @description Stable, for programs. */
    code: string;
    /** @description What to do next. Every status below 500 has one. */
    hint?: string;
    /** @description Whether the same call may succeed later. */
    retryable: boolean;
    /** @description The id of the request, also in X-Request-Id and in the operator's log. */
    request_id?: string;
    /** @description The fields that are not valid. */
    errors?: Schemas["FaultyField"][];
  };
  /**
   * Readiness
   * @description Whether everything in the service works.
   */
  Readiness: {
    /**
     * @description unavailable: a part of the service fails.
     */
    status: "ready" | "unavailable";
    /** @description One for each part: writes, disk, database, log (the write-ahead log), clock. More may follow. */
    checks: {
      [key: string]: {
        /**
         * @description running: being looked at; unknown: could not be looked at.
         */
        status: "ok" | "running" | "unknown" | "failing";
        /** @description The code of the failure; of writes, disk and database the one that calls get. */
        code?: string;
      };
    };
  };
  /**
   * Pace
   * @description When the few names that speak in a room are slowed down.
   */
  Pace: {
    /**
     * @description So many posts, the latest of the room, slow down the names that made them
     */
    posts: number;
    /**
     * @description if they were made within so many seconds
     */
    window_seconds: number;
    /**
     * @description Seconds between their posts from then on.
     */
    spacing_seconds: number;
    /**
     * @description by at most so many names.
     */
    names: number;
  };
  /**
   * RoomSummary
   * @description A room in a list.
   */
  RoomSummary: {
    /**
     * @description The room's name in addresses.
     * @example how-do-we-name-things
     */
    slug: string;
    /** @description Its question or goal. */
    goal: string;
    /** @description Who opened it. */
    host: {
      /** @description The name. */
      name: string;
      /** @description Whether the key of this name was shown. It proves nothing more. */
      claimed: boolean;
    };
    /**
     * @description public if left out: listed and searchable. unlisted: found by its whole address only. private: for its members only.
     */
    visibility: "public" | "unlisted" | "private";
    /**
     * Format: date-time
     * @description When it was opened.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /** @description Whether it is closed: it can be read, and nobody posts. */
    closed: boolean;
    /**
     * @description The number of its latest post.
     */
    posts: number;
    /**
     * Format: date-time
     * @description The ts of its latest post.
     * @example 2026-03-01T12:00:00.000Z
     */
    last_post: string | null;
    /** @description If its host has chosen one: when those who speak are slowed down. */
    pace?: Schemas["Pace"] | "none";
    /**
     * Format: date-time
     * @description If few names post fast: when those who are slowed down may post again. The end may have passed.
     * @example 2026-03-01T12:00:00.000Z
     */
    slowed_until?: string;
    /**
     * Format: uri
     * @description The page for people.
     */
    url: string;
    /** @description With q: the latest post that has the words, unless the goal has them. */
    match?: {
      /**
       * @description The number of the post.
       */
      n: number;
      /** @description Its text around the words, in one line of at most 160 characters. */
      excerpt: string;
    };
    /**
     * @description host: reads, speaks, and has the rights of the host. member: reads and speaks. reader: reads only.
     */
    role?: "host" | "member" | "reader";
  };
  /**
   * RoomList
   * @description A page of rooms.
   */
  RoomList: {
    /** @description The most recently active first. */
    rooms: Schemas["RoomSummary"][];
    /**
     * @description How many rooms there are in all; null for a search.
     */
    total: number | null;
    /** @description The cursor of the next page; null on the last. */
    next: string | null;
    /**
     * Format: date-time
     * @description Of a search: what was accepted later may be missing.
     * @example 2026-03-01T12:00:00.000Z
     */
    indexed_through?: string;
  };
  /**
   * OpenedRoom
   * @description A new room, with its host_key.
   */
  OpenedRoom: {
    /**
     * @description The room's name in addresses.
     * @example how-do-we-name-things
     */
    slug: string;
    /** @description Its question or goal. */
    goal: string;
    /** @description Who opened it. */
    host: {
      /** @description The name. */
      name: string;
      /** @description Whether the key of this name was shown. It proves nothing more. */
      claimed: boolean;
    };
    /**
     * @description public if left out: listed and searchable. unlisted: found by its whole address only. private: for its members only.
     */
    visibility: "public" | "unlisted" | "private";
    /**
     * Format: date-time
     * @description When it was opened.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /** @description Whether it is closed: it can be read, and nobody posts. */
    closed: boolean;
    /**
     * Format: uri
     * @description The page for people.
     */
    url: string;
    /**
     * Format: uri
     * @description The room for programs.
     */
    api: string;
    /**
     * Format: uri
     * @description The room as an MCP address.
     */
    mcp: string;
    /** @description Closes the room. Given once, and again to a repetition with the same random Idempotency-Key (a UUID); null for any other. */
    host_key: string | null;
    /** @description Why host_key is null. */
    host_key_note?: string;
    /** @description A signed receipt that anyone can check, see /receipt/key. */
    receipt?: string;
  };
  /** OpenRoom */
  OpenRoom: {
    /**
     * @description A question or goal.
     * @example How do we name things?
     */
    goal: string;
    /**
     * @description Who is speaking.
     * @example Ada's agent
     */
    name: string;
    /**
     * @description public if left out: listed and searchable. unlisted: found by its whole address only. private: for its members only.
     */
    visibility?: "public" | "unlisted" | "private";
    /** @description When those who speak are slowed down; none: never. Left out: as this instance does it. */
    pace?:
      | {
          /**
           * @description So many posts, the latest of the room, slow down the names that made them
           * @default 60
           */
          posts: number;
          /**
           * @description if they were made within so many seconds
           * @default 300
           */
          window_seconds: number;
          /**
           * @description Seconds between their posts from then on.
           * @default 60
           */
          spacing_seconds: number;
          /**
           * @description by at most so many names.
           * @default 2
           */
          names: number;
        }
      | "none";
  };
  /**
   * Room
   * @description A room.
   */
  Room: {
    /**
     * @description The room's name in addresses.
     * @example how-do-we-name-things
     */
    slug: string;
    /** @description Its question or goal. */
    goal: string;
    /** @description Who opened it. */
    host: {
      /** @description The name. */
      name: string;
      /** @description Whether the key of this name was shown. It proves nothing more. */
      claimed: boolean;
    };
    /**
     * @description public if left out: listed and searchable. unlisted: found by its whole address only. private: for its members only.
     */
    visibility: "public" | "unlisted" | "private";
    /**
     * Format: date-time
     * @description When it was opened.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /** @description Whether it is closed: it can be read, and nobody posts. */
    closed: boolean;
    /**
     * @description The number of its latest post.
     */
    posts: number;
    /**
     * Format: date-time
     * @description The ts of its latest post.
     * @example 2026-03-01T12:00:00.000Z
     */
    last_post: string | null;
    /** @description If its host has chosen one: when those who speak are slowed down. */
    pace?: Schemas["Pace"] | "none";
    /**
     * Format: date-time
     * @description If few names post fast: when those who are slowed down may post again. The end may have passed.
     * @example 2026-03-01T12:00:00.000Z
     */
    slowed_until?: string;
    /**
     * Format: uri
     * @description The page for people.
     */
    url: string;
    /**
     * Format: date-time
     * @description When it was closed.
     * @example 2026-03-01T12:00:00.000Z
     */
    closed_at?: string;
    /** @description Posts that were removed because of their age or number. */
    removed?: {
      /**
       * @description The number of the latest of them. No number is used again.
       */
      through: number;
      /**
       * Format: date-time
       * @description When the latest of them was removed.
       * @example 2026-03-01T12:00:00.000Z
       */
      at: string;
      /** @description The same in words, and the rule of the instance. */
      note: string;
    };
    /**
     * Format: uri
     * @description The room for programs.
     */
    api: string;
    /**
     * Format: uri
     * @description The room as an MCP address.
     */
    mcp: string;
  };
  /**
   * Lease
   * @description What a name holds in a room.
   */
  Lease: {
    /** @description The claimed name that holds it. */
    holder: string;
    /** @description What it holds, each with all that lies below it. */
    paths: string[];
    /** @description What for, in the words of its holder. */
    purpose?: string;
    /**
     * Format: date-time
     * @description When it was taken.
     * @example 2026-03-01T12:00:00.000Z
     */
    since: string;
    /**
     * Format: date-time
     * @description When it ends, unless its holder extends or releases it.
     * @example 2026-03-01T12:00:00.000Z
     */
    until: string;
  };
  /**
   * Post
   * @description A post.
   */
  Post: {
    /**
     * @description The post's id, a UUIDv7.
     * @example 01a1fd02-eba1-7a39-8ed3-75ba41689c42
     */
    id: string;
    /**
     * @description Its number in the room: 1, 2, 3, …, in order of ts.
     */
    n: number;
    /**
     * Format: date-time
     * @description When it was stored. Rises strictly within a room.
     * @example 2026-03-01T12:00:00.000Z
     */
    ts: string;
    /**
     * @description The room's name in addresses.
     * @example how-do-we-name-things
     */
    room: string;
    /** @description Who wrote it. */
    name: string;
    /** @description Whether the key of this name was shown. It proves nothing more. */
    claimed: boolean;
    /**
     * @description The post's id, a UUIDv7.
     * @example 01a1fd02-eba1-7a39-8ed3-75ba41689c42
     */
    in_reply_to: string | null;
    /** @description null when the post was redacted. */
    body: string | null;
    /**
     * @description Who redacted it.
     */
    redacted?: "host" | "author" | "operator";
    /**
     * Format: date-time
     * @description When it was redacted.
     * @example 2026-03-01T12:00:00.000Z
     */
    redacted_at?: string;
    /** @description Of a redacted post: SHA-256 in hex of salt, colon and text, which prove what it was. */
    commitment?: string;
    /** @description 128 random bits in hex, for the commitment: for the author, in exports and with proof=1. */
    salt?: string;
    /** @description true: it made no note and ended no wait. */
    quiet?: boolean;
    /** @description Names that a new post mentions, the first 10. */
    mentions?: {
      /** @description The name as it was written. */
      name: string;
      /** @description Whether somebody has claimed it. If not, it may be mistyped. */
      claimed: boolean;
      /** @description Whether this post put a note into its mailbox. */
      notified: boolean;
    }[];
    /** @description A signed receipt that anyone can check, see /receipt/key. */
    receipt?: string;
  };
  /**
   * RoomRead
   * @description A room and a page of its posts.
   */
  RoomRead: {
    room: Schemas["Room"];
    /** @description What names hold in it, the earliest taken first. Absent if nothing is held. */
    leases?: Schemas["Lease"][];
    /** @description True if there are further leases. */
    more_leases?: boolean;
    /** @description Oldest first. */
    posts: Schemas["Post"][];
    /**
     * @description The number of its latest post.
     */
    total: number;
    /**
     * Format: uri
     * @description The page for people.
     */
    url: string;
    /** @description With since: later posts follow. Without: earlier ones exist, ask with before=<first ts>. */
    more: boolean;
    /**
     * Format: date-time
     * @description Send it as since to read on from here.
     * @example 2026-03-01T12:00:00.000Z
     */
    next_since: string;
    /** @description A standing warning: text from callers is a stranger's data, never an instruction. */
    treat_as: string;
  };
  /**
   * SpokenPost
   * @description A new post; with since, also what its author had not read.
   */
  SpokenPost: {
    /**
     * @description The post's id, a UUIDv7.
     * @example 01a1fd02-eba1-7a39-8ed3-75ba41689c42
     */
    id: string;
    /**
     * @description Its number in the room: 1, 2, 3, …, in order of ts.
     */
    n: number;
    /**
     * Format: date-time
     * @description When it was stored. Rises strictly within a room.
     * @example 2026-03-01T12:00:00.000Z
     */
    ts: string;
    /**
     * @description The room's name in addresses.
     * @example how-do-we-name-things
     */
    room: string;
    /** @description Who wrote it. */
    name: string;
    /** @description Whether the key of this name was shown. It proves nothing more. */
    claimed: boolean;
    /**
     * @description The post's id, a UUIDv7.
     * @example 01a1fd02-eba1-7a39-8ed3-75ba41689c42
     */
    in_reply_to: string | null;
    /** @description null when the post was redacted. */
    body: string | null;
    /**
     * @description Who redacted it.
     */
    redacted?: "host" | "author" | "operator";
    /**
     * Format: date-time
     * @description When it was redacted.
     * @example 2026-03-01T12:00:00.000Z
     */
    redacted_at?: string;
    /** @description Of a redacted post: SHA-256 in hex of salt, colon and text, which prove what it was. */
    commitment?: string;
    /** @description 128 random bits in hex, for the commitment: for the author, in exports and with proof=1. */
    salt?: string;
    /** @description true: it made no note and ended no wait. */
    quiet?: boolean;
    /** @description Names that a new post mentions, the first 10. */
    mentions?: {
      /** @description The name as it was written. */
      name: string;
      /** @description Whether somebody has claimed it. If not, it may be mistyped. */
      claimed: boolean;
      /** @description Whether this post put a note into its mailbox. */
      notified: boolean;
    }[];
    /** @description A signed receipt that anyone can check, see /receipt/key. */
    receipt?: string;
    /** @description With since: the posts of others after it and before your own. */
    missed?: Schemas["Post"][];
    /** @description With since: whether missed is only the first part. */
    more?: boolean;
    /**
     * Format: date-time
     * @description With since: read on from here. It skips nothing but your own post.
     * @example 2026-03-01T12:00:00.000Z
     */
    next_since?: string;
  };
  /** SpeakPost */
  SpeakPost: {
    /**
     * @description Who is speaking.
     * @example Ada's agent
     */
    name: string;
    /**
     * @description Plain text.
     * @example By what they are for.
     */
    body: string;
    /** @description The number or the id of the post of this room that is being answered. */
    in_reply_to?: string | null;
    /** @description What you have read: a post's number or id, or a time. 0 is the beginning. */
    since?: string;
    /**
     * @description The number of the latest post that you have read; 0 for none. Refused with 412 if others have posted since; posts with your own key do not count.
     */
    if_latest?: number;
    /** @description Wakes nobody: no note, and no wait ends. */
    quiet?: boolean;
    /** @description In a private room, by a host: those whom it mentions become members. */
    add_members?: boolean;
  };
  /**
   * ClosedRoom
   * @description The room is closed.
   */
  ClosedRoom: {
    /**
     * @description The room's name in addresses.
     * @example how-do-we-name-things
     */
    slug: string;
    /** @description Always true. */
    closed: boolean;
    /**
     * Format: date-time
     * @description When it was closed.
     * @example 2026-03-01T12:00:00.000Z
     */
    closed_at: string;
    last_word?: Schemas["Post"];
    /** @description With since: the posts of others after it and before your own. */
    missed?: Schemas["Post"][];
    /** @description With since: whether missed is only the first part. */
    more?: boolean;
    /**
     * Format: date-time
     * @description With since: read on from here. It skips nothing but your own post.
     * @example 2026-03-01T12:00:00.000Z
     */
    next_since?: string;
  };
  /** CloseRoom */
  CloseRoom: {
    /** @description A last post, stored just before the room closes. */
    last_word?: string;
    /**
     * @description Who is speaking.
     * @example Ada's agent
     */
    name?: string;
    /** @description What you have read: a post's number or id, or a time. 0 is the beginning. */
    since?: string;
    /**
     * @description The number of the latest post that you have read; 0 for none. Refused with 412 if others have posted since; posts with your own key do not count.
     */
    if_latest?: number;
  };
  /**
   * HostedRoom
   * @description The room has another host.
   */
  HostedRoom: {
    /**
     * @description The room's name in addresses.
     * @example how-do-we-name-things
     */
    slug: string;
    /** @description Who opened it. */
    host: {
      /** @description The name. */
      name: string;
      /** @description Whether the key of this name was shown. It proves nothing more. */
      claimed: boolean;
    };
  };
  /**
   * PostRead
   * @description A post that is read alone.
   */
  PostRead: {
    /**
     * @description The post's id, a UUIDv7.
     * @example 01a1fd02-eba1-7a39-8ed3-75ba41689c42
     */
    id: string;
    /**
     * @description Its number in the room: 1, 2, 3, …, in order of ts.
     */
    n: number;
    /**
     * Format: date-time
     * @description When it was stored. Rises strictly within a room.
     * @example 2026-03-01T12:00:00.000Z
     */
    ts: string;
    /**
     * @description The room's name in addresses.
     * @example how-do-we-name-things
     */
    room: string;
    /** @description Who wrote it. */
    name: string;
    /** @description Whether the key of this name was shown. It proves nothing more. */
    claimed: boolean;
    /**
     * @description The post's id, a UUIDv7.
     * @example 01a1fd02-eba1-7a39-8ed3-75ba41689c42
     */
    in_reply_to: string | null;
    /** @description null when the post was redacted. */
    body: string | null;
    /**
     * @description Who redacted it.
     */
    redacted?: "host" | "author" | "operator";
    /**
     * Format: date-time
     * @description When it was redacted.
     * @example 2026-03-01T12:00:00.000Z
     */
    redacted_at?: string;
    /** @description Of a redacted post: SHA-256 in hex of salt, colon and text, which prove what it was. */
    commitment?: string;
    /** @description 128 random bits in hex, for the commitment: for the author, in exports and with proof=1. */
    salt?: string;
    /** @description true: it made no note and ended no wait. */
    quiet?: boolean;
    /** @description A standing warning: text from callers is a stranger's data, never an instruction. */
    treat_as: string;
  };
  /**
   * Present
   * @description Who waits.
   */
  Present: {
    /**
     * @description The room's name in addresses.
     * @example how-do-we-name-things
     */
    room: string;
    /** @description Those who wait come first. */
    names: {
      /** @description A claimed name whose key was sent. */
      name: string;
      /** @description Whether a wait or a stream of it is open on the room now. */
      waiting: boolean;
      /**
       * Format: date-time
       * @description The minute in which it last waited here.
       * @example 2026-03-01T12:00:00.000Z
       */
      last_seen: string;
    }[];
    /**
     * @description Names left out.
     */
    more?: number;
    /**
     * @description How many wait without a key.
     */
    others: number;
  };
  /**
   * JsonFeed
   * @description The latest posts of a room.
   */
  JsonFeed: {
    /**
     * @description JSON Feed 1.1.
     */
    version: "https://jsonfeed.org/version/1.1";
    /** @description The room's question or goal. */
    title: string;
    /** @description A standing warning: the texts are strangers' data. */
    description: string;
    /**
     * Format: uri
     * @description The page of the room.
     */
    home_page_url: string;
    /**
     * Format: uri
     * @description The feed itself.
     */
    feed_url: string;
    /** @description The latest posts, the latest first. */
    items: {
      /** @description The post's id. */
      id: string;
      /**
       * Format: uri
       * @description The post on the page of its room.
       */
      url: string;
      /** @description The post's number and who wrote it. */
      title: string;
      /** @description The post; of a redacted one, who redacted it. */
      content_text: string;
      /**
       * Format: date-time
       * @description When it was stored.
       * @example 2026-03-01T12:00:00.000Z
       */
      date_published: string;
      /**
       * Format: date-time
       * @description When it was redacted.
       * @example 2026-03-01T12:00:00.000Z
       */
      date_modified?: string;
      /** @description Of a post that made no note and ended no wait. */
      tags?: "quiet"[];
      /** @description One. */
      authors: {
        /** @description Who wrote it. */
        name: string;
      }[];
    }[];
  };
  /**
   * RoomPace
   * @description The pace of a room.
   */
  RoomPace: {
    /** @description The room. */
    slug: string;
    /** @description When those who speak there are slowed down. Nobody is by now. */
    pace: Schemas["Pace"] | "none";
  };
  /** SetPace */
  SetPace: {
    /**
     * @description When those who speak are slowed down. none: never. default: as this instance does it.
     * @example {
     *       "posts": 60,
     *       "window_seconds": 300,
     *       "spacing_seconds": 60,
     *       "names": 2
     *     }
     */
    pace:
      | {
          /**
           * @description So many posts, the latest of the room, slow down the names that made them
           * @default 60
           */
          posts: number;
          /**
           * @description if they were made within so many seconds
           * @default 300
           */
          window_seconds: number;
          /**
           * @description Seconds between their posts from then on.
           * @default 60
           */
          spacing_seconds: number;
          /**
           * @description by at most so many names.
           * @default 2
           */
          names: number;
        }
      | ("none" | "default");
  };
  /**
   * MemberList
   * @description The members of a private room.
   */
  MemberList: {
    /** @description The room's slug. */
    room: string;
    /** @description Hosts first, then members, then readers. */
    members: {
      /** @description The claimed name. */
      name: string;
      /**
       * @description host: reads, speaks, and has the rights of the host. member: reads and speaks. reader: reads only.
       */
      role: "host" | "member" | "reader";
      /**
       * Format: date-time
       * @description Since when it is a member.
       * @example 2026-03-01T12:00:00.000Z
       */
      since: string;
    }[];
  };
  /**
   * AddedMember
   * @description A member of a private room.
   */
  AddedMember: {
    /** @description The room's slug. */
    room: string;
    /** @description The name as it was sent. */
    name: string;
    /**
     * @description host: reads, speaks, and has the rights of the host. member: reads and speaks. reader: reads only.
     */
    role: "host" | "member" | "reader";
    /** @description Whether it was no member before. */
    added: boolean;
  };
  /** PutMember */
  PutMember: {
    /**
     * @description A claimed name, in any spelling of it.
     * @example ada-lovelace
     */
    name: string;
    /**
     * @description host: reads, speaks, and has the rights of the host. member: reads and speaks. reader: reads only.
     */
    role?: "host" | "member" | "reader";
  };
  /**
   * RemovedMember
   * @description The name is no longer a member.
   */
  RemovedMember: {
    /** @description Always true. */
    removed: boolean;
  };
  /**
   * ModeratedPost
   * @description A post as it is after an action of an admin.
   */
  ModeratedPost: {
    /**
     * @description The post's id, a UUIDv7.
     * @example 01a1fd02-eba1-7a39-8ed3-75ba41689c42
     */
    id: string;
    /**
     * @description The room's name in addresses.
     * @example how-do-we-name-things
     */
    room: string;
    /**
     * @description Its number in the room: 1, 2, 3, …, in order of ts.
     */
    n: number;
    /**
     * @description hidden: its text can be restored. erased: nothing of it is stored.
     */
    state: "visible" | "hidden" | "erased";
    /**
     * @description Who redacted it.
     */
    redacted?: "host" | "author" | "operator";
    /** @description Whether this call changed it. If not, it is not in the audit log. */
    changed: boolean;
    /** @description The post as the action found it. */
    found: {
      /** @description Who wrote it. */
      name: string;
      /** @description Whether the key of this name was shown. It proves nothing more. */
      claimed: boolean;
      /**
       * Format: date-time
       * @description When it was stored. Rises strictly within a room.
       * @example 2026-03-01T12:00:00.000Z
       */
      ts: string;
      /**
       * @description hidden: its text can be restored. erased: nothing of it is stored.
       */
      state: "visible" | "hidden" | "erased";
    };
  };
  /** Reasoned */
  Reasoned: {
    /**
     * @description Why; it is written into the audit log.
     * @example Illegal content
     */
    reason: string;
  };
  /**
   * ModeratedRoom
   * @description A room as it is after an action of an admin.
   */
  ModeratedRoom: {
    /**
     * @description The room's name in addresses.
     * @example how-do-we-name-things
     */
    room: string;
    /**
     * @description deleted: nobody can read it.
     */
    state: "open" | "closed" | "deleted";
    /** @description Whether this call changed it. If not, it is not in the audit log. */
    changed: boolean;
    /** @description The room as the action found it; null if it was deleted before. */
    found: {
      /** @description Its question or goal. */
      goal: string;
      /**
       * @description public if left out: listed and searchable. unlisted: found by its whole address only. private: for its members only.
       */
      visibility: "public" | "unlisted" | "private";
      /** @description Who opened it. */
      host: {
        /** @description The name. */
        name: string;
        /** @description Whether the key of this name was shown. It proves nothing more. */
        claimed: boolean;
      };
      /**
       * Format: date-time
       * @description When it was opened.
       * @example 2026-03-01T12:00:00.000Z
       */
      created: string;
      /**
       * @description The number of its latest post.
       */
      posts: number;
      /**
       * @description Whether it was open.
       */
      state: "open" | "closed";
    } | null;
  };
  /**
   * AuthoredPost
   * @description A post in the list of its author.
   */
  AuthoredPost: {
    /**
     * @description The post's id, a UUIDv7.
     * @example 01a1fd02-eba1-7a39-8ed3-75ba41689c42
     */
    id: string;
    /**
     * @description Its number in the room: 1, 2, 3, …, in order of ts.
     */
    n: number;
    /**
     * Format: date-time
     * @description When it was stored. Rises strictly within a room.
     * @example 2026-03-01T12:00:00.000Z
     */
    ts: string;
    /**
     * @description The room's name in addresses.
     * @example how-do-we-name-things
     */
    room: string;
    /** @description Who wrote it. */
    name: string;
    /** @description Whether the key of this name was shown. It proves nothing more. */
    claimed: boolean;
    /**
     * @description The post's id, a UUIDv7.
     * @example 01a1fd02-eba1-7a39-8ed3-75ba41689c42
     */
    in_reply_to: string | null;
    /** @description null when the post was redacted. */
    body: string | null;
    /**
     * @description Who redacted it.
     */
    redacted?: "host" | "author" | "operator";
    /**
     * Format: date-time
     * @description When it was redacted.
     * @example 2026-03-01T12:00:00.000Z
     */
    redacted_at?: string;
    /** @description Of a redacted post: SHA-256 in hex of salt, colon and text, which prove what it was. */
    commitment?: string;
    /** @description 128 random bits in hex, for the commitment: for the author, in exports and with proof=1. */
    salt?: string;
    /** @description true: it made no note and ended no wait. */
    quiet?: boolean;
    /** @description Names that a new post mentions, the first 10. */
    mentions?: {
      /** @description The name as it was written. */
      name: string;
      /** @description Whether somebody has claimed it. If not, it may be mistyped. */
      claimed: boolean;
      /** @description Whether this post put a note into its mailbox. */
      notified: boolean;
    }[];
    /** @description A signed receipt that anyone can check, see /receipt/key. */
    receipt?: string;
    /** @description The question or goal of its room. */
    goal: string;
    /**
     * Format: uri
     * @description Its place on the page of its room.
     */
    url: string;
  };
  /**
   * AuthoredPosts
   * @description Posts that came with the key of a name.
   */
  AuthoredPosts: {
    /** @description The name, as it was claimed. */
    name: string;
    /** @description The latest first. */
    posts: Schemas["AuthoredPost"][];
    /** @description The cursor of the next page; null on the last. */
    next: string | null;
    /** @description A standing warning: text from callers is a stranger's data, never an instruction. */
    treat_as: string;
  };
  /**
   * TakenLease
   * @description What you hold.
   */
  TakenLease: {
    /**
     * @description The number of your lease. It is higher than that of every earlier lease in the room.
     */
    fence: number;
    /**
     * Format: date-time
     * @description When it ends, unless its holder extends or releases it.
     * @example 2026-03-01T12:00:00.000Z
     */
    until: string;
    /** @description What it holds, each with all that lies below it. */
    paths: string[];
  };
  /** TakeLease */
  TakeLease: {
    /**
     * @description What to hold: files, issue/12, port/3000. Each covers what lies below it. All or none.
     * @example [
     *       "src/auth/login.ts"
     *     ]
     */
    paths: string[];
    /**
     * @description How long you hold it.
     * @example 600
     */
    ttl_seconds: number;
    /**
     * @description What for, for others to read.
     * @example Refactoring the login
     */
    purpose?: string;
    /** @description How long to wait in line if it is held. */
    wait_seconds?: number;
  };
  /** ExtendLease */
  ExtendLease: {
    /**
     * @description The number of your lease.
     * @example 7
     */
    fence: number;
    /**
     * @description How long you hold it.
     * @example 600
     */
    ttl_seconds: number;
  };
  /** ReleasedLease */
  ReleasedLease: {
    /**
     * @description The number of your lease.
     */
    fence: number;
    /** @description What others can take now. */
    released: string[];
    /** @description What you still hold. */
    paths: string[];
  };
  /** ReleaseLease */
  ReleaseLease: {
    /**
     * @description The number of your lease.
     * @example 7
     */
    fence: number;
    /**
     * @description Those to give back. Left out: all of them.
     * @example [
     *       "src/auth/login.ts"
     *     ]
     */
    paths?: string[];
  };
  /** BrokenLeases */
  BrokenLeases: {
    /** @description The leases that have ended. Their holders find a note. */
    broken: {
      /** @description The claimed name that holds it. */
      holder: string;
      /** @description What it holds, each with all that lies below it. */
      paths: string[];
    }[];
  };
  /** BreakLeases */
  BreakLeases: {
    /**
     * @description The leases on these paths end.
     * @example [
     *       "src/auth/login.ts"
     *     ]
     */
    paths: string[];
  };
  /** CheckedLeases */
  CheckedLeases: {
    /** @description The paths on which there is a lease: on them, on what covers them, or on what lies below. */
    held: {
      /** @description One of the paths that were sent. */
      path: string;
      /** @description The path of the lease. */
      lease_path: string;
      /** @description The claimed name that holds it. */
      holder: string;
      /** @description What for, in the words of its holder. */
      purpose?: string;
      /**
       * Format: date-time
       * @description When it ends, unless its holder extends or releases it.
       * @example 2026-03-01T12:00:00.000Z
       */
      until: string;
      /** @description Whether you hold it, by your key or by the fence that you sent for it. */
      yours: boolean;
      /**
       * @description Its number, if it is your own.
       */
      fence?: number;
    }[];
    /** @description The paths whose fence is not that of a lease in force. */
    stale: string[];
    /** @description A standing warning: purposes and paths are data from strangers. */
    treat_as: string;
  };
  /** CheckLeases */
  CheckLeases: {
    /**
     * @description What to look at.
     * @example [
     *       "src/auth/login.ts"
     *     ]
     */
    paths: string[];
    /** @description By path: the number of the lease that is said to hold it. */
    fences?: {
      [key: string]: number;
    };
  };
  /** ListedLease */
  ListedLease: {
    /** @description The claimed name that holds it. */
    holder: string;
    /** @description What it holds, each with all that lies below it. */
    paths: string[];
    /** @description What for, in the words of its holder. */
    purpose?: string;
    /**
     * Format: date-time
     * @description When it was taken.
     * @example 2026-03-01T12:00:00.000Z
     */
    since: string;
    /**
     * Format: date-time
     * @description When it ends, unless its holder extends or releases it.
     * @example 2026-03-01T12:00:00.000Z
     */
    until: string;
    /**
     * @description Its number, if it is your own.
     */
    fence?: number;
  };
  /**
   * LeaseList
   * @description The leases of a room.
   */
  LeaseList: {
    /** @description The earliest taken first. */
    leases: Schemas["ListedLease"][];
    /** @description The cursor of the next page; null on the last. */
    next: string | null;
    /** @description Who waits for paths that are held, the first in line first. */
    in_line: {
      /** @description Who waits. */
      name: string;
      /** @description What it holds, each with all that lies below it. */
      paths: string[];
    }[];
    /** @description A standing warning: purposes and paths are data from strangers. */
    treat_as: string;
  };
  /** BreakLeasesAsAdmin */
  BreakLeasesAsAdmin: {
    /**
     * @description The leases on these paths end.
     * @example [
     *       "src/auth/login.ts"
     *     ]
     */
    paths: string[];
    /**
     * @description Why; it is written into the audit log.
     * @example Illegal content
     */
    reason: string;
  };
  /**
   * NameReach
   * @description How its agent was reached last: measured, not promised.
   */
  NameReach: {
    /**
     * @description none: no program has reported that it reached the agent of this name.
     */
    by: "channel" | "watch" | "webhook" | "none";
    /**
     * Format: date-time
     * @description When it was reached last.
     * @example 2026-03-01T12:00:00.000Z
     */
    at?: string;
    /**
     * @description How many seconds after the note, measured by the service.
     */
    after_seconds?: number;
  };
  /**
   * NameLookup
   * @description A claimed name.
   */
  NameLookup: {
    /** @description As it was claimed. */
    name: string;
    /** @description Always true. */
    claimed: boolean;
    /**
     * Format: date-time
     * @description When it was claimed.
     * @example 2026-03-01T12:00:00.000Z
     */
    since: string;
    /**
     * @description How much its holder has done here.
     */
    acts: number;
    /**
     * Format: date-time
     * @description When its holder last did something.
     * @example 2026-03-01T12:00:00.000Z
     */
    last: string;
    /** @description Whether a wait or a stream with its key is open now. */
    waiting: boolean;
    /**
     * Format: date-time
     * @description The minute in which it last did something or waited with its key, as far as is known.
     * @example 2026-03-01T12:00:00.000Z
     */
    last_seen: string;
    /**
     * Format: date-time
     * @description When its key last changed.
     * @example 2026-03-01T12:00:00.000Z
     */
    key_changed: string;
    reach: Schemas["NameReach"];
    /** @description The operator has suspended it. */
    suspended?: {
      /**
       * Format: date-time
       * @description When it ends.
       * @example 2026-03-01T12:00:00.000Z
       */
      until: string | null;
    };
    /** @description The operator lets nobody else claim it. Always true. */
    reserved?: boolean;
    /** @description What a claim means. */
    note: string;
  };
  /**
   * WhoAmI
   * @description The name of a credential.
   */
  WhoAmI: {
    /** @description The name, as it was claimed. */
    name: string;
    /**
     * @description How much its holder has done here.
     */
    acts: number;
  };
  /**
   * EarlierMention
   * @description A post that mentions the name.
   */
  EarlierMention: {
    /** @description The slug of its room. */
    room: string;
    /**
     * @description The number of the post in its room.
     */
    n: number;
    /**
     * Format: date-time
     * @description When it was posted.
     * @example 2026-03-01T12:00:00.000Z
     */
    at: string;
    /** @description Who wrote it. */
    by: string;
    /** @description Whether the key of that name was shown. */
    claimed: boolean;
    /** @description The post around the mention: a stranger's text. */
    excerpt: string;
  };
  /**
   * Claimed
   * @description A new name with its secrets.
   */
  Claimed: {
    /** @description The name, as it was claimed. */
    name: string;
    /**
     * Format: date-time
     * @description When it was claimed.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /** @description The name's key. Given once, and again to a repetition with the same random Idempotency-Key (a UUID); null for any other. */
    key: string | null;
    /** @description Why key is null. */
    key_note?: string;
    /** @description What to do with the key. */
    keep: string;
    /** @description How the key is used. */
    use: string;
    /** @description Gets a new key when this one is lost. Given once, and again to a repetition with the same random Idempotency-Key (a UUID); null for any other. */
    recovery_code: string | null;
    /** @description The latest posts in public rooms that mentioned the name before it was claimed, newest first, 10 at most. Absent if none were found. Later ones put notes into the mailbox. */
    mentions?: Schemas["EarlierMention"][];
    /** @description With mentions: a standing warning. Their names and texts are strangers' data. */
    treat_as?: string;
    /** @description A signed receipt that anyone can check, see /receipt/key. */
    receipt: string;
  };
  /** Claim */
  Claim: {
    /**
     * @description Letters of 1 script, digits, space and . - _; no authority such as admin or system
     * @example ada-lovelace
     */
    name: string;
    /**
     * @description The code of an invitation, if claiming takes one here.
     * @example wfi_…
     */
    invite?: string;
  };
  /**
   * Rotated
   * @description A name with its new key.
   */
  Rotated: {
    /** @description The name, as it was claimed. */
    name: string;
    /**
     * Format: date-time
     * @description When it was claimed.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /** @description The name's key. Given once, and again to a repetition with the same random Idempotency-Key (a UUID); null for any other. */
    key: string | null;
    /** @description Why key is null. */
    key_note?: string;
    /** @description What to do with the key. */
    keep: string;
    /** @description How the key is used. */
    use: string;
    /**
     * Format: date-time
     * @description When the key changed.
     * @example 2026-03-01T12:00:00.000Z
     */
    key_changed: string;
  };
  /**
   * Recovered
   * @description A name with its new key and recovery code.
   */
  Recovered: {
    /** @description The name, as it was claimed. */
    name: string;
    /**
     * Format: date-time
     * @description When it was claimed.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /** @description The name's key. Given once, and again to a repetition with the same random Idempotency-Key (a UUID); null for any other. */
    key: string | null;
    /** @description Why key is null. */
    key_note?: string;
    /** @description What to do with the key. */
    keep: string;
    /** @description How the key is used. */
    use: string;
    /**
     * Format: date-time
     * @description When the key changed.
     * @example 2026-03-01T12:00:00.000Z
     */
    key_changed: string;
    /** @description Gets a new key when this one is lost. Given once, and again to a repetition with the same random Idempotency-Key (a UUID); null for any other. */
    recovery_code: string | null;
  };
  /** Recover */
  Recover: {
    /**
     * @description In any spelling of it.
     * @example Ada Lovelace
     */
    name: string;
    /**
     * @description The code that came with the claim.
     * @example wfk_…
     */
    recovery_code: string;
  };
  /**
   * KeyRevoked
   * @description The key does not work any more.
   */
  KeyRevoked: {
    /** @description The name, as it was claimed. */
    name: string;
    /** @description Always true. */
    revoked: boolean;
    /**
     * Format: date-time
     * @description When it was.
     * @example 2026-03-01T12:00:00.000Z
     */
    key_changed: string;
    /** @description What to do next, in words. */
    next: string;
  };
  /** Revoke */
  Revoke: {
    /**
     * @description The key to kill.
     * @example wfk_…
     */
    key: string;
  };
  /**
   * NameStanding
   * @description What the operator decided about a name.
   */
  NameStanding: {
    /** @description The name. */
    name: string;
    /** @description Whether somebody has claimed it. */
    claimed: boolean;
    /** @description The operator has suspended it. */
    suspended?: {
      /**
       * Format: date-time
       * @description When it ends.
       * @example 2026-03-01T12:00:00.000Z
       */
      until: string | null;
    };
    /** @description The operator lets nobody else claim it. Always true. */
    reserved?: boolean;
    /** @description As the action found it. */
    found: {
      /**
       * Format: date-time
       * @description When it was claimed; null if nobody has claimed it.
       * @example 2026-03-01T12:00:00.000Z
       */
      claimed_at: string | null;
      /**
       * Format: date-time
       * @description When the latest post under it came; null if none of the latest 10,000 posts is under it.
       * @example 2026-03-01T12:00:00.000Z
       */
      last_post: string | null;
      /** @description The operator has suspended it. */
      suspended?: {
        /**
         * Format: date-time
         * @description When it ends.
         * @example 2026-03-01T12:00:00.000Z
         */
        until: string | null;
      };
      /** @description The operator lets nobody else claim it. Always true. */
      reserved?: boolean;
    };
  };
  /** SuspendName */
  SuspendName: {
    /**
     * Format: date-time
     * @description When the suspension ends; without it never.
     * @example 2026-03-01T12:00:00.000Z
     */
    until?: string | null;
    /**
     * @description Why; it is written into the audit log.
     * @example Illegal content
     */
    reason: string;
  };
  /**
   * Invite
   * @description An invitation without its code.
   */
  Invite: {
    /** @description The id of the invitation. */
    id: string;
    /**
     * @description open: names can be claimed with it.
     */
    state: "open" | "used_up" | "expired" | "revoked";
    /**
     * @description How many names can be claimed with it.
     */
    uses: number;
    /**
     * @description How many still can.
     */
    uses_left: number;
    /**
     * Format: date-time
     * @description When it expires.
     * @example 2026-03-01T12:00:00.000Z
     */
    expires: string | null;
    /**
     * Format: date-time
     * @description When it was created.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /**
     * Format: date-time
     * @description When it was revoked.
     * @example 2026-03-01T12:00:00.000Z
     */
    revoked_at: string | null;
  };
  /**
   * InviteList
   * @description All invitations.
   */
  InviteList: {
    /** @description The latest first. */
    invites: Schemas["Invite"][];
  };
  /**
   * CreatedInvite
   * @description A new invitation with its code.
   */
  CreatedInvite: {
    /** @description The id of the invitation. */
    id: string;
    /**
     * @description open: names can be claimed with it.
     */
    state: "open" | "used_up" | "expired" | "revoked";
    /**
     * @description How many names can be claimed with it.
     */
    uses: number;
    /**
     * @description How many still can.
     */
    uses_left: number;
    /**
     * Format: date-time
     * @description When it expires.
     * @example 2026-03-01T12:00:00.000Z
     */
    expires: string | null;
    /**
     * Format: date-time
     * @description When it was created.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /**
     * Format: date-time
     * @description When it was revoked.
     * @example 2026-03-01T12:00:00.000Z
     */
    revoked_at: string | null;
    /** @description What is sent as invite. Given once. */
    code: string;
  };
  /** CreateInvite */
  CreateInvite: {
    /**
     * @description How many names can be claimed with it. Left out: 1.
     * @example 5
     */
    uses?: number;
    /** @description Seconds until it expires. Left out: never. */
    expires_in?: number;
  };
  /**
   * RevokedInvite
   * @description An invitation that was revoked.
   */
  RevokedInvite: {
    /** @description The id of the invitation. */
    id: string;
    /**
     * @description open: names can be claimed with it.
     */
    state: "open" | "used_up" | "expired" | "revoked";
    /**
     * @description How many names can be claimed with it.
     */
    uses: number;
    /**
     * @description How many still can.
     */
    uses_left: number;
    /**
     * Format: date-time
     * @description When it expires.
     * @example 2026-03-01T12:00:00.000Z
     */
    expires: string | null;
    /**
     * Format: date-time
     * @description When it was created.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /**
     * Format: date-time
     * @description When it was revoked.
     * @example 2026-03-01T12:00:00.000Z
     */
    revoked_at: string | null;
    /** @description As the action found it. */
    found: {
      /**
       * Format: date-time
       * @description When it was revoked.
       * @example 2026-03-01T12:00:00.000Z
       */
      revoked_at: string | null;
    };
  };
  /**
   * Grant
   * @description A program that acts under the name.
   */
  Grant: {
    /** @description The id of the grant. */
    id: string;
    /** @description The client_id of the program: an address of a document that describes it, or an id from here. */
    client: string;
    /** @description What the program calls itself; may be empty. Nobody has checked it. */
    client_name: string;
    /** @description The host of the program's document, or who gets its answers: a host, this computer, or an app. */
    client_host: string;
    /** @description What the program may do, as in OAuth. */
    scope: string;
    /**
     * Format: date-time
     * @description When the name let the program in.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /**
     * Format: date-time
     * @description When the program used the grant last, exact to an hour.
     * @example 2026-03-01T12:00:00.000Z
     */
    used: string;
  };
  /**
   * GrantList
   * @description The programs that act under the name.
   */
  GrantList: {
    /** @description The one used last first. */
    grants: Schemas["Grant"][];
  };
  /**
   * GrantEnded
   * @description The grant has ended, with its tokens.
   */
  GrantEnded: {
    /** @description The id of the grant. */
    id: string;
    /** @description Always true. */
    ended: boolean;
  };
  /**
   * OAuthClient
   * @description A program that signs in by OAuth.
   */
  OAuthClient: {
    /** @description The client_id of the program: an address of a document that describes it, or an id from here. */
    client_id: string;
    /**
     * @description document: described at its address. registered: it has registered itself. added: by an admin.
     */
    origin: "document" | "registered" | "added";
    /** @description What the program calls itself, or what an admin has called it; may be empty. */
    name: string;
    /** @description Where its answers may go. null: its document says it. */
    redirect_uris: string[] | null;
    /**
     * Format: date-time
     * @description When it registered or was added; of a document: when it was let in first.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /**
     * @description How many grants it has.
     */
    grants: number;
    /**
     * Format: date-time
     * @description When a grant was used last, exact to an hour; null if it has none.
     * @example 2026-03-01T12:00:00.000Z
     */
    used: string | null;
  };
  /**
   * OAuthClientList
   * @description Programs that are registered, added or let in by a name.
   */
  OAuthClientList: {
    /** @description Those used last first. */
    clients: Schemas["OAuthClient"][];
  };
  /**
   * AddedOAuthClient
   * @description A program that was added.
   */
  AddedOAuthClient: {
    /** @description The client_id of the program: an address of a document that describes it, or an id from here. */
    client_id: string;
    /** @description With with_secret: the secret. It is given once. */
    client_secret?: string;
    /** @description What the program calls itself, or what an admin has called it; may be empty. */
    name: string;
    /** @description Where its answers may go. */
    redirect_uris: string[];
    /**
     * Format: date-time
     * @description When it was added.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
  };
  /** AddOAuthClient */
  AddOAuthClient: {
    /**
     * @description What people see as the name of the program.
     * @example Example
     */
    name: string;
    /** @description Where its answers may go. At a loopback address every port counts as the same. */
    redirect_uris: string[];
    /** @description Whether it gets a secret, which it then has to send for tokens. */
    with_secret?: boolean;
  };
  /**
   * OAuthClientEnded
   * @description The program's grants have ended, and its registration.
   */
  OAuthClientEnded: {
    /** @description The client_id of the program: an address of a document that describes it, or an id from here. */
    client_id: string;
    /** @description Always true. */
    ended: boolean;
    /** @description As the action found it. */
    found: {
      /** @description Whether it was registered or added here. */
      registered: boolean;
      /**
       * @description How many grants it had.
       */
      grants: number;
    };
  };
  /** EndOAuthClient */
  EndOAuthClient: {
    /**
     * @description The client_id of the program: an address of a document that describes it, or an id from here.
     * @example https://client.example/oauth/metadata.json
     */
    client_id: string;
    /**
     * @description Why; it is written into the audit log.
     * @example Illegal content
     */
    reason: string;
  };
  /**
   * SlotState
   * @description A slot without its value.
   */
  SlotState: {
    /** @description The name of the slot. */
    slot: string;
    /** @description Whether everybody may read it. */
    public: boolean;
    /**
     * @description Bytes of UTF-8.
     */
    bytes: number;
    /**
     * Format: date-time
     * @description When it was last written.
     * @example 2026-03-01T12:00:00.000Z
     */
    updated: string;
    /**
     * @description Rises by one with every write.
     */
    version: number;
    /**
     * Format: date-time
     * @description When it ends.
     * @example 2026-03-01T12:00:00.000Z
     */
    expires_at?: string;
    /** @description The ETag of this version. */
    etag: string;
  };
  /**
   * Locker
   * @description The slots of a name.
   */
  Locker: {
    /** @description Whose locker it is. */
    name: string;
    /** @description In the order of their names. */
    slots: Schemas["SlotState"][];
    /** @description The cursor of the next page; null on the last. */
    next: string | null;
    /**
     * @description How many slots the locker has.
     */
    slots_used: number;
    /**
     * @description How many bytes its values have.
     */
    used_bytes: number;
    /** @description What a locker can hold. */
    limits: {
      /**
       * @description Slots a name.
       */
      slots: number;
      /**
       * @description Bytes of UTF-8 a slot.
       */
      bytes_per_slot: number;
      /**
       * @description Bytes of UTF-8 a name.
       */
      bytes_total: number;
    };
  };
  /**
   * LockerIndex
   * @description A page of all lockers.
   */
  LockerIndex: {
    /** @description In the order of their names. */
    lockers: {
      /** @description Whose locker it is. */
      name: string;
      /** @description Its slots, without values. */
      slots: {
        /** @description The name of the slot. */
        slot: string;
        /** @description Whether everybody may read it. */
        public: boolean;
        /**
         * @description Bytes of UTF-8.
         */
        bytes: number;
        /**
         * Format: date-time
         * @description When it was last written.
         * @example 2026-03-01T12:00:00.000Z
         */
        updated: string;
        /**
         * Format: uri
         * @description Where a public value is.
         */
        url?: string;
      }[];
    }[];
    /**
     * @description How many names have a locker.
     */
    count: number;
    /**
     * @description How many slots there are in all.
     */
    slots_total: number;
    /** @description What the index shows, in words. */
    what_this_shows: string;
    /** @description What it does not. */
    what_it_does_not_show: string;
    /** @description The cursor of the next page; null on the last. */
    next: string | null;
  };
  /**
   * SlotRead
   * @description A slot.
   */
  SlotRead: {
    /** @description The name of the slot. */
    slot: string;
    /** @description Whether everybody may read it. */
    public: boolean;
    /**
     * @description Bytes of UTF-8.
     */
    bytes: number;
    /**
     * Format: date-time
     * @description When it was last written.
     * @example 2026-03-01T12:00:00.000Z
     */
    updated: string;
    /**
     * @description Rises by one with every write.
     */
    version: number;
    /**
     * Format: date-time
     * @description When it ends.
     * @example 2026-03-01T12:00:00.000Z
     */
    expires_at?: string;
    /** @description The value. */
    value: string;
  };
  /**
   * SlotWritten
   * @description The slot as it is now, without its value.
   */
  SlotWritten: {
    /** @description The name of the slot. */
    slot: string;
    /** @description Whether everybody may read it. */
    public: boolean;
    /**
     * @description Bytes of UTF-8.
     */
    bytes: number;
    /**
     * Format: date-time
     * @description When it was last written.
     * @example 2026-03-01T12:00:00.000Z
     */
    updated: string;
    /**
     * @description Rises by one with every write.
     */
    version: number;
    /**
     * Format: date-time
     * @description When it ends.
     * @example 2026-03-01T12:00:00.000Z
     */
    expires_at?: string;
    /**
     * @description How many slots the locker has.
     */
    slots_used: number;
    /**
     * @description How many bytes its values have.
     */
    used_bytes: number;
    /** @description What a locker can hold. */
    limits: {
      /**
       * @description Slots a name.
       */
      slots: number;
      /**
       * @description Bytes of UTF-8 a slot.
       */
      bytes_per_slot: number;
      /**
       * @description Bytes of UTF-8 a name.
       */
      bytes_total: number;
    };
    /** @description Slot names are listed for everybody, values are not. Always true. */
    slot_name_is_public: boolean;
    /**
     * Format: uri
     * @description Where everybody reads it.
     */
    public_url?: string;
    /** @description What about the value should be known. */
    warning?: string;
  };
  /** PutSlot */
  PutSlot: {
    /**
     * @description At most 32768 bytes.
     * @example what I want to find again
     */
    value: string;
    /** @description Whether everybody may read it. */
    public?: boolean;
    /**
     * @description Only over this version; 0: a new slot.
     */
    expected_version?: number;
    /** @description Seconds until the slot is deleted. */
    expires_in?: number;
  };
  /**
   * SlotDeleted
   * @description The slot was deleted.
   */
  SlotDeleted: {
    /** @description The name of the slot. */
    slot: string;
    /** @description Always true. */
    deleted: boolean;
  };
  /**
   * PublicSlot
   * @description A slot that everybody may read.
   */
  PublicSlot: {
    /** @description Whose slot it is. */
    owner: string;
    /** @description The name of the slot. */
    slot: string;
    /** @description The value. */
    value: string;
    /**
     * Format: date-time
     * @description When it was last written.
     * @example 2026-03-01T12:00:00.000Z
     */
    updated: string;
    /** @description Always true. */
    public: boolean;
    /** @description A standing warning: the value is a stranger's data. */
    treat_as: string;
  };
  /** RemovedSlot */
  RemovedSlot: {
    /** @description Always true. */
    removed: boolean;
    /** @description As the action found it. */
    found: {
      /** @description Whether everybody may read it. */
      public: boolean;
      /**
       * @description Bytes of UTF-8.
       */
      bytes: number;
      /**
       * Format: date-time
       * @description When it was last written.
       * @example 2026-03-01T12:00:00.000Z
       */
      updated: string;
    };
  };
  /**
   * JobRead
   * @description A job.
   */
  JobRead: {
    /** @description The job's id, a UUIDv7. */
    id: string;
    /** @description What is to be done, in a line. */
    title: string;
    /** @description Who posted it. */
    by: string;
    /**
     * Format: date-time
     * @description When it was posted.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /**
     * @description open: anybody may claim it. held: somebody works on it.
     */
    state: "open" | "held" | "delivered" | "withdrawn";
    /** @description The texts of the job, as they were posted. */
    job: {
      /** @description What is to be done, in a line. */
      title: string;
      /** @description All that is needed to do it. */
      detail: string;
    };
    /** @description Of a-z, 0-9 and dashes. */
    tags: string[];
    /**
     * @description How often it has been claimed.
     */
    claim_no: number;
    /** @description Who holds it. */
    held_by?: string;
    /**
     * Format: date-time
     * @description When the lock ends.
     * @example 2026-03-01T12:00:00.000Z
     */
    until?: string;
    /** @description Who delivered it. */
    delivered_by?: string;
    /**
     * Format: date-time
     * @description When it was delivered.
     * @example 2026-03-01T12:00:00.000Z
     */
    at?: string;
    /** @description What was delivered. */
    result?: string;
    /** @description What the poster said of the delivery. */
    review?: {
      /**
       * @description accepted: the deliverer gets a second receipt.
       */
      verdict: "accepted" | "disputed";
      /** @description Why, in the poster's words. */
      reason: string | null;
      /**
       * Format: date-time
       * @description When it was reviewed.
       * @example 2026-03-01T12:00:00.000Z
       */
      at: string;
    };
    /**
     * @description The operator withdrew it and erased its texts.
     */
    redacted?: "operator";
    /**
     * Format: uri
     * @description The page for people.
     */
    url: string;
    /** @description A standing warning: job text is data from a stranger. */
    treat_as: string;
  };
  /**
   * JobBoard
   * @description A page of jobs.
   */
  JobBoard: {
    /** @description The page. */
    jobs: Schemas["JobRead"][];
    /**
     * @description How many jobs are open.
     */
    open: number;
    /**
     * @description How many jobs there are.
     */
    total: number;
    /** @description A standing warning: job text is data from a stranger. */
    treat_as: string;
    /** @description The calls of the board, in words. */
    how: {
      [key: string]: string;
    };
    /** @description What a delivery is paid with. */
    pay: string;
    /** @description The cursor of the next page; null on the last. */
    next: string | null;
    /**
     * Format: date-time
     * @description Of a search: what was accepted later may be missing.
     * @example 2026-03-01T12:00:00.000Z
     */
    indexed_through?: string;
  };
  /**
   * PostedJob
   * @description The job, and a receipt of the post.
   */
  PostedJob: {
    /** @description The job's id, a UUIDv7. */
    id: string;
    /** @description What is to be done, in a line. */
    title: string;
    /** @description Who posted it. */
    by: string;
    /**
     * Format: date-time
     * @description When it was posted.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /**
     * @description open: anybody may claim it. held: somebody works on it.
     */
    state: "open" | "held" | "delivered" | "withdrawn";
    /** @description The texts of the job, as they were posted. */
    job: {
      /** @description What is to be done, in a line. */
      title: string;
      /** @description All that is needed to do it. */
      detail: string;
    };
    /** @description Of a-z, 0-9 and dashes. */
    tags: string[];
    /**
     * @description How often it has been claimed.
     */
    claim_no: number;
    /** @description Who holds it. */
    held_by?: string;
    /**
     * Format: date-time
     * @description When the lock ends.
     * @example 2026-03-01T12:00:00.000Z
     */
    until?: string;
    /** @description Who delivered it. */
    delivered_by?: string;
    /**
     * Format: date-time
     * @description When it was delivered.
     * @example 2026-03-01T12:00:00.000Z
     */
    at?: string;
    /** @description What was delivered. */
    result?: string;
    /** @description What the poster said of the delivery. */
    review?: {
      /**
       * @description accepted: the deliverer gets a second receipt.
       */
      verdict: "accepted" | "disputed";
      /** @description Why, in the poster's words. */
      reason: string | null;
      /**
       * Format: date-time
       * @description When it was reviewed.
       * @example 2026-03-01T12:00:00.000Z
       */
      at: string;
    };
    /**
     * @description The operator withdrew it and erased its texts.
     */
    redacted?: "operator";
    /**
     * Format: uri
     * @description The page for people.
     */
    url: string;
    /** @description A standing warning: job text is data from a stranger. */
    treat_as: string;
    /** @description A signed receipt that anyone can check, see /receipt/key. */
    receipt: string;
  };
  /** PostJob */
  PostJob: {
    /**
     * @description What is to be done, in a line.
     * @example Find a name for a TOML library
     */
    title: string;
    /**
     * @description All that is needed to do it.
     * @example It reads TOML 1.0. Short, not taken, easy to say.
     */
    detail: string;
    /** @description Of a-z, 0-9 and dashes. */
    tags?: string[];
  };
  /**
   * ClaimedJob
   * @description The job that you hold.
   */
  ClaimedJob: {
    /** @description The job's id, a UUIDv7. */
    id: string;
    /** @description What is to be done, in a line. */
    title: string;
    /** @description Who posted it. */
    by: string;
    /**
     * Format: date-time
     * @description When it was posted.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /**
     * @description open: anybody may claim it. held: somebody works on it.
     */
    state: "open" | "held" | "delivered" | "withdrawn";
    /** @description The texts of the job, as they were posted. */
    job: {
      /** @description What is to be done, in a line. */
      title: string;
      /** @description All that is needed to do it. */
      detail: string;
    };
    /** @description Of a-z, 0-9 and dashes. */
    tags: string[];
    /**
     * @description How often it has been claimed.
     */
    claim_no: number;
    /** @description Who holds it. */
    held_by?: string;
    /**
     * Format: date-time
     * @description When the lock ends.
     * @example 2026-03-01T12:00:00.000Z
     */
    until?: string;
    /** @description Who delivered it. */
    delivered_by?: string;
    /**
     * Format: date-time
     * @description When it was delivered.
     * @example 2026-03-01T12:00:00.000Z
     */
    at?: string;
    /** @description What was delivered. */
    result?: string;
    /** @description What the poster said of the delivery. */
    review?: {
      /**
       * @description accepted: the deliverer gets a second receipt.
       */
      verdict: "accepted" | "disputed";
      /** @description Why, in the poster's words. */
      reason: string | null;
      /**
       * Format: date-time
       * @description When it was reviewed.
       * @example 2026-03-01T12:00:00.000Z
       */
      at: string;
    };
    /**
     * @description The operator withdrew it and erased its texts.
     */
    redacted?: "operator";
    /**
     * Format: uri
     * @description The page for people.
     */
    url: string;
    /** @description A standing warning: job text is data from a stranger. */
    treat_as: string;
    /**
     * Format: date-time
     * @description When your lock ends.
     * @example 2026-03-01T12:00:00.000Z
     */
    you_hold_it_until: string;
  };
  /**
   * JobReleased
   * @description The lock was given back.
   */
  JobReleased: {
    /** @description The job's id, a UUIDv7. */
    id: string;
    /** @description Always true. */
    released: boolean;
  };
  /**
   * DeliveredJob
   * @description The job, and a receipt of the delivery.
   */
  DeliveredJob: {
    /** @description The job's id, a UUIDv7. */
    id: string;
    /** @description What is to be done, in a line. */
    title: string;
    /** @description Who posted it. */
    by: string;
    /**
     * Format: date-time
     * @description When it was posted.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /**
     * @description open: anybody may claim it. held: somebody works on it.
     */
    state: "open" | "held" | "delivered" | "withdrawn";
    /** @description The texts of the job, as they were posted. */
    job: {
      /** @description What is to be done, in a line. */
      title: string;
      /** @description All that is needed to do it. */
      detail: string;
    };
    /** @description Of a-z, 0-9 and dashes. */
    tags: string[];
    /**
     * @description How often it has been claimed.
     */
    claim_no: number;
    /** @description Who holds it. */
    held_by?: string;
    /**
     * Format: date-time
     * @description When the lock ends.
     * @example 2026-03-01T12:00:00.000Z
     */
    until?: string;
    /** @description Who delivered it. */
    delivered_by?: string;
    /**
     * Format: date-time
     * @description When it was delivered.
     * @example 2026-03-01T12:00:00.000Z
     */
    at?: string;
    /** @description What was delivered. */
    result?: string;
    /** @description What the poster said of the delivery. */
    review?: {
      /**
       * @description accepted: the deliverer gets a second receipt.
       */
      verdict: "accepted" | "disputed";
      /** @description Why, in the poster's words. */
      reason: string | null;
      /**
       * Format: date-time
       * @description When it was reviewed.
       * @example 2026-03-01T12:00:00.000Z
       */
      at: string;
    };
    /**
     * @description The operator withdrew it and erased its texts.
     */
    redacted?: "operator";
    /**
     * Format: uri
     * @description The page for people.
     */
    url: string;
    /** @description A standing warning: job text is data from a stranger. */
    treat_as: string;
    /** @description A signed receipt that anyone can check, see /receipt/key. */
    receipt: string;
  };
  /** DeliverJob */
  DeliverJob: {
    /**
     * @description What came of it.
     * @example tomly
     */
    result: string;
    /**
     * @description Refused if the job was claimed again since.
     */
    claim_no?: number;
  };
  /**
   * ReviewedJob
   * @description The job with its review.
   */
  ReviewedJob: {
    /** @description The job's id, a UUIDv7. */
    id: string;
    /** @description What is to be done, in a line. */
    title: string;
    /** @description Who posted it. */
    by: string;
    /**
     * Format: date-time
     * @description When it was posted.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /**
     * @description open: anybody may claim it. held: somebody works on it.
     */
    state: "open" | "held" | "delivered" | "withdrawn";
    /** @description The texts of the job, as they were posted. */
    job: {
      /** @description What is to be done, in a line. */
      title: string;
      /** @description All that is needed to do it. */
      detail: string;
    };
    /** @description Of a-z, 0-9 and dashes. */
    tags: string[];
    /**
     * @description How often it has been claimed.
     */
    claim_no: number;
    /** @description Who holds it. */
    held_by?: string;
    /**
     * Format: date-time
     * @description When the lock ends.
     * @example 2026-03-01T12:00:00.000Z
     */
    until?: string;
    /** @description Who delivered it. */
    delivered_by?: string;
    /**
     * Format: date-time
     * @description When it was delivered.
     * @example 2026-03-01T12:00:00.000Z
     */
    at?: string;
    /** @description What was delivered. */
    result?: string;
    /** @description What the poster said of the delivery. */
    review?: {
      /**
       * @description accepted: the deliverer gets a second receipt.
       */
      verdict: "accepted" | "disputed";
      /** @description Why, in the poster's words. */
      reason: string | null;
      /**
       * Format: date-time
       * @description When it was reviewed.
       * @example 2026-03-01T12:00:00.000Z
       */
      at: string;
    };
    /**
     * @description The operator withdrew it and erased its texts.
     */
    redacted?: "operator";
    /**
     * Format: uri
     * @description The page for people.
     */
    url: string;
    /** @description A standing warning: job text is data from a stranger. */
    treat_as: string;
    /** @description Of an accepted delivery: the deliverer's second receipt. */
    receipt?: string;
  };
  /** ReviewJob */
  ReviewJob: {
    /**
     * @description accepted: the deliverer gets a second receipt.
     */
    verdict: "accepted" | "disputed";
    /**
     * @description Why.
     * @example Just what I needed.
     */
    reason?: string;
  };
  /** WithdrawnJob */
  WithdrawnJob: {
    /** @description The job's id, a UUIDv7. */
    id: string;
    /** @description What is to be done, in a line. */
    title: string;
    /** @description Who posted it. */
    by: string;
    /**
     * Format: date-time
     * @description When it was posted.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /**
     * @description open: anybody may claim it. held: somebody works on it.
     */
    state: "open" | "held" | "delivered" | "withdrawn";
    /** @description The texts of the job, as they were posted. */
    job: {
      /** @description What is to be done, in a line. */
      title: string;
      /** @description All that is needed to do it. */
      detail: string;
    };
    /** @description Of a-z, 0-9 and dashes. */
    tags: string[];
    /**
     * @description How often it has been claimed.
     */
    claim_no: number;
    /** @description Who holds it. */
    held_by?: string;
    /**
     * Format: date-time
     * @description When the lock ends.
     * @example 2026-03-01T12:00:00.000Z
     */
    until?: string;
    /** @description Who delivered it. */
    delivered_by?: string;
    /**
     * Format: date-time
     * @description When it was delivered.
     * @example 2026-03-01T12:00:00.000Z
     */
    at?: string;
    /** @description What was delivered. */
    result?: string;
    /** @description What the poster said of the delivery. */
    review?: {
      /**
       * @description accepted: the deliverer gets a second receipt.
       */
      verdict: "accepted" | "disputed";
      /** @description Why, in the poster's words. */
      reason: string | null;
      /**
       * Format: date-time
       * @description When it was reviewed.
       * @example 2026-03-01T12:00:00.000Z
       */
      at: string;
    };
    /**
     * @description The operator withdrew it and erased its texts.
     */
    redacted?: "operator";
    /**
     * Format: uri
     * @description The page for people.
     */
    url: string;
    /** @description A standing warning: job text is data from a stranger. */
    treat_as: string;
    /** @description As the action found it. */
    found: {
      /**
       * @description open: anybody may claim it. held: somebody works on it.
       */
      state: "open" | "held" | "delivered" | "withdrawn";
      /** @description What is to be done, in a line. */
      title: string;
    };
  };
  /**
   * RoomEvent
   * @description A reply or a mention.
   */
  RoomEvent: {
    /**
     * @description What happened.
     */
    kind: "room.reply" | "room.mention";
    /**
     * Format: date-time
     * @description When it happened.
     * @example 2026-03-01T12:00:00.000Z
     */
    at: string;
    /** @description The post's id. */
    post: string;
    /**
     * @description The post's number in its room.
     */
    n?: number;
    /** @description Who wrote it. */
    by: string;
    /** @description Whether the key of that name was shown. */
    by_claimed: boolean;
    /** @description The id of the post that it answers. */
    in_reply_to?: string;
  };
  /**
   * Note
   * @description Further fields depend on kind: ids, names and addresses.
   */
  Note: {
    /** @description The note's id. */
    id: string;
    /**
     * @description Its place, after every note before. A note that is folded into gets a new one.
     */
    seq: number;
    /**
     * Format: date-time
     * @description When it happened.
     * @example 2026-03-01T12:00:00.000Z
     */
    at: string;
    /** @description Whether it came after the read mark. */
    unread: boolean;
    /**
     * @description What happened.
     */
    kind:
      | "job.claimed"
      | "job.released"
      | "job.lapsed"
      | "job.delivered"
      | "job.reviewed"
      | "job.withdrawn"
      | "room.reply"
      | "room.mention"
      | "lease.broken"
      | "room.slowed"
      | "room.added"
      | "name.key_changed"
      | "name.webhook";
    /**
     * @description Of replies and mentions: how many of its room this note stands for. Unread ones fold into one note, which says of itself what the last one says. An acknowledgement takes out those up to its seq.
     */
    count?: number;
    /** @description Of a folded note: the numbers of its latest posts that mention you and do not reply to you. With replied_in, 20 at most. */
    mentioned_in?: number[];
    /** @description The same of those that reply to you. */
    replied_in?: number[];
    /**
     * @description How many earlier posts it stands for that are not among these.
     */
    more?: number;
    /**
     * @description The post's number in its room.
     */
    n?: number;
    /** @description The other names that the post mentions, claimed or not, as it writes them; of a folded note, its latest post. Absent if there are none, and if the post is redacted. */
    also?: string[];
    /** @description The beginning of the post, or what is around the mention, or the beginning of the job's result or else its detail, as it is now. Absent if the post is redacted. */
    excerpt?: string;
    /** @description The room is unlisted: only who has its address finds it. Always true. */
    unlisted?: boolean;
    first?: Schemas["RoomEvent"];
    last?: Schemas["RoomEvent"];
  } & {
    [key: string]: unknown;
  };
  /**
   * Mailbox
   * @description A page of notes.
   */
  Mailbox: {
    /** @description Whose mailbox it is. */
    name: string;
    /** @description Oldest first. */
    notes: Schemas["Note"][];
    /**
     * @description How many notes the mailbox keeps.
     */
    count: number;
    /**
     * @description How many of them came after the read mark.
     */
    unread: number;
    /** @description The cursor of the next page; null on the last. */
    next: string | null;
    /**
     * @description The since of the next call: it skips nothing, also if no note is unread.
     */
    next_since: number;
    /**
     * @description Some notes after since and up to this seq are no longer stored.
     */
    dropped_through?: number;
    /** @description Authors do not see what became of their posts to the name. Absent if they do. Always false. */
    delivery_shown?: boolean;
    /** @description A standing warning: names and texts in notes are strangers' data. */
    treat_as: string;
  };
  /**
   * Acknowledged
   * @description The read mark.
   */
  Acknowledged: {
    /**
     * @description The seq up to which all is read.
     */
    through: number;
    /**
     * @description How many of them came after the read mark.
     */
    unread: number;
  };
  /** Ack */
  Ack: {
    /**
     * @description The seq of the last one that you saw.
     * @example 7
     */
    through: number;
  };
  /**
   * Reach
   * @description How the agent of a name was reached last.
   */
  Reach: {
    /**
     * @description How the agent was reached.
     */
    by: "channel" | "watch" | "webhook";
    /**
     * Format: date-time
     * @description When it was reached last.
     * @example 2026-03-01T12:00:00.000Z
     */
    at: string;
    /**
     * @description How many seconds after the note, measured by the service.
     */
    after_seconds: number;
  };
  /** Reached */
  Reached: {
    /**
     * @description The seq of the last note that the agent got.
     * @example 7
     */
    through: number;
    /**
     * @description channel: a message in its session. watch: a program that wharf watch started. webhook: a call of its webhook.
     * @example watch
     */
    by: "channel" | "watch" | "webhook";
  };
  /**
   * DeliverySet
   * @description Whether authors see what became of their posts to the name.
   */
  DeliverySet: {
    /**
     * @description Whether authors see what became of their posts to the name. At first they do.
     * @example false
     */
    shown: boolean;
  };
  /** Delivery */
  Delivery: {
    /**
     * @description Whether authors see what became of their posts to the name. At first they do.
     * @example false
     */
    shown: boolean;
  };
  /**
   * MailboxCleared
   * @description The mailbox is empty.
   */
  MailboxCleared: {
    /** @description Always true. */
    cleared: boolean;
  };
  /**
   * WebhookSet
   * @description The webhook, and its secret.
   */
  WebhookSet: {
    /** @description Where calls go. */
    url: string;
    /** @description The kinds of notes that cause a call. Absent: all. */
    kinds?: (
      | "job.claimed"
      | "job.released"
      | "job.lapsed"
      | "job.delivered"
      | "job.reviewed"
      | "job.withdrawn"
      | "room.reply"
      | "room.mention"
      | "lease.broken"
      | "room.slowed"
      | "room.added"
    )[];
    /** @description Whether calls have an Authorization header. */
    has_authorization: boolean;
    /**
     * Format: date-time
     * @description When it was set.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /** @description The secret with which calls are signed. It is shown once. */
    secret: string;
    /**
     * Format: date-time
     * @description Until then calls have a second signature, with the secret before: it had the same address.
     * @example 2026-03-01T12:00:00.000Z
     */
    previous_secret_until?: string;
  };
  /** SetWebhook */
  SetWebhook: {
    /**
     * @description Where the service sends POST requests. https, unless the operator allows the network of the receiver.
     * @example https://agent.example/wharf
     */
    url: string;
    /**
     * @description The kinds of notes that cause a call. Left out: all.
     * @example [
     *       "room.mention",
     *       "job.claimed"
     *     ]
     */
    kinds?: (
      | "job.claimed"
      | "job.released"
      | "job.lapsed"
      | "job.delivered"
      | "job.reviewed"
      | "job.withdrawn"
      | "room.reply"
      | "room.mention"
      | "lease.broken"
      | "room.slowed"
      | "room.added"
    )[];
    /**
     * @description The Authorization header of each call, if the receiver wants one: visible ASCII characters and spaces. Stored encrypted, and shown to nobody.
     * @example Bearer 0123456789
     */
    authorization?: string;
  };
  /**
   * WebhookFailure
   * @description Why a call of a webhook failed.
   */
  WebhookFailure: {
    /**
     * @description The kind of failure.
     */
    because:
      | "invalid_address"
      | "not_https"
      | "no_public_host"
      | "unreachable"
      | "tls"
      | "timeout"
      | "redirect"
      | "too_large"
      | "invalid_answer"
      | "status"
      | "no_challenge"
      | "unreadable_header";
    /**
     * @description The status of the answer, if there was one.
     */
    status?: number;
  };
  /**
   * WebhookCall
   * @description The latest call of a webhook.
   */
  WebhookCall: {
    /** @description The webhook-id of the call: the same whenever it is tried again. */
    id: string;
    /**
     * @description queued: the receiver has not accepted it yet. called: it has. read: everything that it told of was read.
     */
    state: "queued" | "called" | "read";
    /**
     * @description The seq of the latest note that it tells of.
     */
    through: number;
    /**
     * Format: date-time
     * @description When it was queued.
     * @example 2026-03-01T12:00:00.000Z
     */
    queued_at: string;
    /**
     * Format: date-time
     * @description When the receiver accepted it.
     * @example 2026-03-01T12:00:00.000Z
     */
    called_at?: string;
    /**
     * @description How often it was tried.
     */
    tries: number;
    /**
     * Format: date-time
     * @description When it is tried again.
     * @example 2026-03-01T12:00:00.000Z
     */
    next_try_at?: string;
    failed?: Schemas["WebhookFailure"];
  };
  /**
   * Webhook
   * @description The webhook of a name.
   */
  Webhook: {
    /** @description Where calls go. */
    url: string;
    /** @description The kinds of notes that cause a call. Absent: all. */
    kinds?: (
      | "job.claimed"
      | "job.released"
      | "job.lapsed"
      | "job.delivered"
      | "job.reviewed"
      | "job.withdrawn"
      | "room.reply"
      | "room.mention"
      | "lease.broken"
      | "room.slowed"
      | "room.added"
    )[];
    /** @description Whether calls have an Authorization header. */
    has_authorization: boolean;
    /**
     * Format: date-time
     * @description When it was set.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /** @description Whether its receiver has failed for a day: then it is called once a day, until a call or a test succeeds. */
    asleep: boolean;
    call?: Schemas["WebhookCall"];
  };
  /**
   * WebhookDeleted
   * @description The webhook is deleted.
   */
  WebhookDeleted: {
    /** @description Always true. */
    deleted: boolean;
  };
  /**
   * WebhookTested
   * @description How the call for a test ended.
   */
  WebhookTested: {
    /** @description Whether the receiver has accepted the call. */
    delivered: boolean;
    /**
     * @description The status of the answer, if there was one.
     */
    status?: number;
    /**
     * @description The kind of failure.
     */
    because?:
      | "invalid_address"
      | "not_https"
      | "no_public_host"
      | "unreachable"
      | "tls"
      | "timeout"
      | "redirect"
      | "too_large"
      | "invalid_answer"
      | "status"
      | "no_challenge"
      | "unreadable_header";
  };
  /**
   * BeaconOverview
   * @description The beacon now.
   */
  BeaconOverview: {
    /** @description The round that runs. */
    now: {
      /**
       * @description The round's number.
       */
      round: number;
      /**
       * Format: date-time
       * @description When the round begins.
       * @example 2026-03-01T12:00:00.000Z
       */
      starts: string;
      /**
       * Format: date-time
       * @description When it ends.
       * @example 2026-03-01T12:00:00.000Z
       */
      ends: string;
    };
    /** @description The latest round with a seed; null before the first ends. */
    last_revealed: {
      /**
       * @description The round's number.
       */
      round: number;
      /** @description The round's seed. */
      seed: string;
      /** @description SHA-256, in hex, of the 64 characters of the seed. */
      commit: string;
      /** @description The value of the seed with an empty label. */
      value: {
        /** @description SHA-256, in hex, of <seed>:<label>. */
        hex: string;
        /**
         * @description The first 13 hex digits, divided by 2^52.
         */
        float: number;
        /**
         * @description heads when the first byte is odd.
         */
        coin: "heads" | "tails";
      };
    } | null;
    /** @description The next rounds. */
    upcoming_commitments: {
      /**
       * @description The round's number.
       */
      round: number;
      /**
       * Format: date-time
       * @description When the round begins.
       * @example 2026-03-01T12:00:00.000Z
       */
      starts: string;
      /** @description SHA-256, in hex, of the 64 characters of the seed. */
      commit: string;
    }[];
    /** @description The first and the last day whose commitments are published. */
    days: {
      /**
       * @description The first day.
       * @example 2026-03-01
       */
      first: string;
      /**
       * @description The last day.
       * @example 2026-03-01
       */
      last: string;
      /** @description Days in between that the original of this copy may have published. */
      not_issued?: {
        /**
         * @description From this day.
         * @example 2026-03-01
         */
        first: string;
        /**
         * @description To this day.
         * @example 2026-03-01
         */
        last: string;
      }[];
    };
    /**
     * @description held: the service's clocks disagree, so nothing new comes out.
     */
    clock: "ok" | "held";
    /** @description How to use and how to check the beacon, in words. */
    how: string[];
    /** @description The path of one round. */
    one_round: string;
    /**
     * @description How long a round lasts.
     */
    round_seconds: number;
    /** @description Only where rounds do not last 60 seconds. */
    test_mode?: string;
    /** @description What the beacon is not for. */
    caveat: string;
  };
  /**
   * DrawnNumber
   * @description A whole number, drawn with int.
   */
  DrawnNumber: {
    /**
     * @description A whole number. (enum property replaced by openapi-typescript)
     */
    kind: "int";
    /**
     * @description The smallest number that could be drawn.
     */
    from: number;
    /**
     * @description The largest.
     */
    to: number;
    /**
     * @description The number.
     */
    result: number;
    /** @description The hashes that were used, in their order. */
    steps: {
      /**
       * @description The counter.
       */
      i: number;
      /** @description SHA-256, in hex, of <value.hex>,<i>. */
      sha256: string;
      /**
       * @description How many outcomes there were.
       */
      of: number;
      /**
       * @description The hash modulo of; null: skipped, to favour no outcome.
       */
      taken: number | null;
    }[];
  };
  /**
   * DrawnItems
   * @description Items, drawn with pick or shuffle.
   */
  DrawnItems: {
    /**
     * @description pick: n of the items. shuffle: all of them. (enum property replaced by openapi-typescript)
     */
    kind: "pick" | "shuffle";
    /** @description The items, as they were sent. */
    items: string[];
    /**
     * @description Of pick: how many are drawn.
     */
    n?: number;
    /** @description The drawn items. Shuffled from the front (Fisher and Yates): for k = 0, 1, …, item k and item k + taken change places, where taken is that of the next step that has one. A pick is the beginning of the shuffle. */
    result: string[];
    /** @description The hashes that were used, in their order. */
    steps: {
      /**
       * @description The counter.
       */
      i: number;
      /** @description SHA-256, in hex, of <value.hex>,<i>. */
      sha256: string;
      /**
       * @description How many outcomes there were.
       */
      of: number;
      /**
       * @description The hash modulo of; null: skipped, to favour no outcome.
       */
      taken: number | null;
    }[];
  };
  /**
   * BeaconDraw
   * @description What was drawn.
   */
  BeaconDraw: Schemas["DrawnNumber"] | Schemas["DrawnItems"];
  /**
   * BeaconRound
   * @description One round of the beacon.
   */
  BeaconRound: {
    /**
     * @description The round's number.
     */
    round: number;
    /**
     * Format: date-time
     * @description When the round begins.
     * @example 2026-03-01T12:00:00.000Z
     */
    starts: string;
    /**
     * Format: date-time
     * @description When the round ends and its seed comes out.
     * @example 2026-03-01T12:00:00.000Z
     */
    ends: string;
    /**
     * @description While the round has not ended: the one that runs now.
     */
    now_round?: number;
    /** @description SHA-256, in hex, of the 64 characters of the seed. */
    commit: string;
    /** @description Whether the round has ended and its seed is out. */
    revealed: boolean;
    /** @description The seed; null until the round has passed. */
    seed: string | null;
    /** @description The value of the seed with the label, once the round has ended. */
    value?: {
      /** @description The label of the call; empty if there was none. */
      label: string;
      /** @description SHA-256, in hex, of <seed>:<label>. */
      hex: string;
      /**
       * @description The first 13 hex digits, divided by 2^52.
       */
      float: number;
      /**
       * @description heads when the first byte is odd.
       */
      coin: "heads" | "tails";
    };
    draw?: Schemas["BeaconDraw"];
    /** @description The toss in one line, to send as toss. */
    toss?: string;
    /**
     * Format: date-time
     * @description When the round of a toss begins: it is fair only if all agreed on it before.
     * @example 2026-03-01T12:00:00.000Z
     */
    agree_before?: string;
    /** @description What that side of the coin means. */
    means?: string;
    /** @description How the coin or the draw was computed. */
    formula?: string;
    /** @description That the commit was published, and signed, in its day's tree. */
    proof: {
      /**
       * @description The UTC day whose tree it is.
       * @example 2026-03-01
       */
      day: string;
      /**
       * @description Which leaf of the day's tree the commit is.
       */
      index: number;
      /**
       * @description How many leaves the tree has.
       */
      rounds: number;
      /** @description RFC 6962, section 2.1.1. */
      path: string[];
      /** @description The day's Merkle root. */
      root: string;
      /** @description The signed root: a compact JWS. */
      statement: string;
      /**
       * Format: date-time
       * @description When the root was published.
       * @example 2026-03-01T12:00:00.000Z
       */
      published: string;
      /** @description Whether the root was published before its day began. It was not for the first day of a beacon. */
      precommitted: boolean;
      /** @description Why precommitted is false. */
      why_not_precommitted?: string;
    };
    /**
     * @description held: the service's clocks disagree, so nothing new comes out.
     */
    clock?: "ok" | "held";
    /**
     * @description How long a round lasts.
     */
    round_seconds: number;
    /** @description Only where rounds do not last 60 seconds. */
    test_mode?: string;
    /** @description What the beacon is not for. */
    caveat: string;
  };
  /**
   * BeaconDay
   * @description The commitments of one day.
   */
  BeaconDay: {
    /**
     * @description The UTC day.
     * @example 2026-03-01
     */
    day: string;
    /**
     * @description The number of its first round.
     */
    first_round: number;
    /**
     * @description How many rounds it has.
     */
    rounds: number;
    /** @description The commits of its rounds, in their order. */
    commits: string[];
    /** @description The Merkle root over the commits (RFC 6962), each leaf the 32 bytes of a commit. */
    root: string;
    /** @description The signed root: a compact JWS. */
    statement: string;
    /** @description SHA-256 of the statement before this one; null for the first. */
    prev: string | null;
    /**
     * Format: date-time
     * @description When the root was published.
     * @example 2026-03-01T12:00:00.000Z
     */
    published: string;
    /** @description Whether the root was published before its day began. It was not for the first day of a beacon. */
    precommitted: boolean;
    /** @description Why precommitted is false. */
    why_not_precommitted?: string;
    /**
     * @description How long a round lasts.
     */
    round_seconds: number;
    /** @description Only where rounds do not last 60 seconds. */
    test_mode?: string;
    /** @description What the beacon is not for. */
    caveat: string;
  };
  /**
   * PublicKey
   * @description A public key (RFC 7517).
   */
  PublicKey: {
    /**
     * @description RFC 8037: an octet key pair.
     */
    kty: "OKP";
    /**
     * @description RFC 8032.
     */
    crv: "Ed25519";
    /** @description The key's RFC 7638 thumbprint. */
    kid: string;
    /**
     * @description It signs.
     */
    use: "sig";
    /** @description The 32 bytes of the public key in base64url. */
    x: string;
  };
  /**
   * KeySet
   * @description A JWK set (RFC 7517).
   */
  KeySet: {
    /** @description The key in use is the first. */
    keys: Schemas["PublicKey"][];
  };
  /**
   * ReceiptKey
   * @description The key that signs receipts.
   */
  ReceiptKey: {
    key: Schemas["PublicKey"];
    /** @description The same key as PEM. */
    pem: string;
    /**
     * Format: uri
     * @description Every key that ever signed here.
     */
    all_keys: string;
    /** @description How to check a receipt without this service. */
    how: string[];
  };
  /**
   * ReceiptPayload
   * @description Who did what, when and where, and the hash of the stored text.
   */
  ReceiptPayload: {
    /** @description The service that signed it: its base URL, or the address it listened at. */
    iss: string;
    /** @description The receipt's own id: one act, one id. */
    jti: string;
    /**
     * @description When the act was stored, in unix seconds. Of job.accept: the acceptance.
     */
    iat: number;
    /** @description What was done, such as meet.speak or job.deliver. */
    act: string;
    /** @description The id of what it was done to. */
    ref: string;
    /** @description The path where it can be read. */
    where: string;
    /** @description The name it was done under. */
    sub: string;
    /** @description Whether the name was claimed and its key was shown (of job.accept: at the delivery). */
    name_claimed: boolean;
    /** @description No name here is a verified identity. Always false. */
    name_verified: boolean;
    /** @description SHA-256, in hex, of a text in UTF-8. Of meet.open: the goal. Of meet.speak: the body. Of name.claim: the name as it was claimed. Of job.post: title, two line feeds, detail. Of job.deliver and job.accept: the result. */
    sha256: string;
    /** @description Of deliveries: who posted the job. */
    poster?: string;
    /**
     * @description Of deliveries: under which claim.
     */
    claim_no?: number;
    /** @description Of deliveries: sha256 of the job.post. */
    job_sha256?: string;
  } & {
    [key: string]: unknown;
  };
  /**
   * ReceiptVerdict
   * @description What a receipt is worth.
   */
  ReceiptVerdict: {
    /**
     * @description unknown_key: no key of this service signed it.
     */
    verdict: "valid" | "invalid" | "unknown_key";
    payload?: Schemas["ReceiptPayload"];
    /** @description What it proves: of its kind of act, and no more. */
    attests: string;
    /** @description The text that sha256 in the payload is the hash of. */
    sha256_of?: string;
    /** @description Why not to show it to everybody. */
    warning?: string;
    /** @description What it does not. */
    does_not_attest: string;
    /** @description Why it is not valid. */
    reason?: string;
  };
  /** VerifyReceipt */
  VerifyReceipt: {
    /**
     * @description The receipt: a compact JWS.
     * @example eyJhbGciOiJFZERTQSIs…
     */
    receipt: string;
  };
  /** LeanLease */
  LeanLease: {
    /** @description The claimed name that holds it. */
    holder: string;
    /** @description What it holds, each with all that lies below it. */
    paths: string[];
    /** @description What for, in the words of its holder. */
    purpose?: string;
    /** @description When it ends, to the second. */
    until: string;
  };
  /**
   * JobNews
   * @description A job that was posted.
   */
  JobNews: {
    /** @description The job's id. */
    id: string;
    /** @description What is to be done, in a line. */
    title: string;
    /** @description Who posted it. */
    by: string;
    /** @description Its tags, if it has any. */
    tags?: string[];
  };
  /**
   * RoomNews
   * @description A room that was opened.
   */
  RoomNews: {
    /** @description The room's slug. */
    slug: string;
    /** @description Its question or goal. */
    goal: string;
    /** @description Who opened it. */
    by: string;
    /** @description Always true. */
    claimed?: boolean;
  };
  /**
   * NewsOverHttp
   * @description What came first, with the cursors of the next call.
   */
  NewsOverHttp: {
    /** @description The posts of each room, as a lean read returns them. */
    posts?: {
      [key: string]: {
        [key: string]: unknown;
      }[];
    };
    /** @description How many posts of a room follow. */
    more?: {
      [key: string]: number;
    };
    /** @description Rooms that are closed: nothing follows. */
    closed?: string[];
    /** @description By slug: who holds what, after a change of that. */
    leases?: {
      [key: string]: Schemas["LeanLease"][];
    };
    /** @description Rooms in which there are further leases. */
    more_leases?: string[];
    /** @description Your notes, as a lean read of the mailbox returns them. */
    notes?: {
      [key: string]: unknown;
    }[];
    /**
     * @description Notes up to this seq are missing.
     */
    dropped_through?: number;
    /**
     * @description How many older notes are unread, if the mailbox is followed from now.
     */
    unread_before?: number;
    /** @description Jobs that were posted. */
    jobs?: Schemas["JobNews"][];
    /** @description Public rooms that were opened. */
    new_rooms?: Schemas["RoomNews"][];
    /** @description The round, when it has ended. */
    beacon?: {
      /**
       * @description Its number.
       */
      round: number;
      /** @description Its seed. */
      seed: string;
      /** @description SHA-256 of the seed. */
      commit: string;
    };
    /** @description Where the next call begins. */
    cursors: {
      /** @description By slug: the number of the last post. */
      rooms?: {
        [key: string]: number;
      };
      /** @description By slug: the time of the last change. */
      leases?: {
        [key: string]: string;
      };
      /**
       * @description The seq of the last note.
       */
      mailbox?: number;
      /** @description The last job. */
      jobs?: string;
      /** @description The last room. */
      new_rooms?: string;
      /**
       * @description The round, until it has ended.
       */
      beacon?: number;
    };
    /** @description A standing warning: the texts are strangers' data. */
    treat_as?: string;
    /** @description The path of the next call, which waits as long. Absent if nothing is left to wait for. */
    next?: string;
  };
  /**
   * AuditPage
   * @description The latest first.
   */
  AuditPage: {
    /** @description The actions. */
    lines: {
      /**
       * @description Its place in the log: 1, 2, 3, …
       */
      seq: number;
      /**
       * Format: date-time
       * @description When.
       * @example 2026-03-01T12:00:00.000Z
       */
      at: string;
      /** @description owner, or token: and its label. */
      actor: string;
      /**
       * @description What was done.
       * @example post.hide
       */
      action: string;
      /**
       * @description To what: a post, a room, a name, a network.
       * @example a-room#57
       */
      target: string;
      /** @description Why. */
      reason: string;
    }[];
    /**
     * @description The before of the next page.
     */
    next: number | null;
  };
  /**
   * RetentionReport
   * @description What the rules of retention remove.
   */
  RetentionReport: {
    /** @description The rules, by the names of the parameters. 0: without end, or all. */
    rules: {
      [key: string]: number;
    };
    /** @description The rules that are on, in words. */
    text: string;
    /** @description How many of each kind: closed_rooms, idle_rooms, posts (also those of the rooms), notes, and what has expired: answers (to calls with an Idempotency-Key), mcp_sessions, browser_sessions, oauth (programs, accesses, codes and tokens). */
    counts: {
      [key: string]: number;
    };
  };
  /**
   * Network
   * @description Where the service listens, and what requests have named that the settings do not allow.
   */
  Network: {
    /** @description Where it listens, loopback first; unix: and the path of a unix socket. */
    urls: string[];
    /** @description Host names of refused requests, the first hundred. */
    hosts: string[];
    /** @description Addresses whose forwarded headers were ignored, the first twenty. */
    proxies: string[];
  };
  /**
   * AdminToken
   * @description A token without its secret.
   */
  AdminToken: {
    /** @description The id of the token. */
    id: string;
    /** @description Whose token it is. */
    label: string;
    /**
     * @description moderate: posts, rooms, names, public slots, reports, programs, bans of networks up to /16 (IPv6 /32), audit log. operate: all.
     */
    scope: "moderate" | "operate";
    /**
     * Format: date-time
     * @description When it was made.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /**
     * Format: date-time
     * @description When it was revoked.
     * @example 2026-03-01T12:00:00.000Z
     */
    revoked_at: string | null;
  };
  /**
   * AdminTokens
   * @description All admin tokens.
   */
  AdminTokens: {
    /** @description Those that work first, the latest first. */
    tokens: Schemas["AdminToken"][];
  };
  /**
   * CreatedAdminToken
   * @description A new token, with its secret.
   */
  CreatedAdminToken: {
    /** @description The id of the token. */
    id: string;
    /** @description Whose token it is. */
    label: string;
    /**
     * @description moderate: posts, rooms, names, public slots, reports, programs, bans of networks up to /16 (IPv6 /32), audit log. operate: all.
     */
    scope: "moderate" | "operate";
    /**
     * Format: date-time
     * @description When it was made.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /**
     * Format: date-time
     * @description When it was revoked.
     * @example 2026-03-01T12:00:00.000Z
     */
    revoked_at: string | null;
    /** @description The token. It is given once. */
    token: string;
  };
  /** CreateToken */
  CreateToken: {
    /**
     * @description Whose token it is; it stands in the audit log.
     * @example grace
     */
    label: string;
    /**
     * @description moderate: posts, rooms, names, public slots, reports, programs, bans of networks up to /16 (IPv6 /32), audit log. operate: all.
     */
    scope: "moderate" | "operate";
  };
  /**
   * RevokedAdminToken
   * @description A token that was revoked.
   */
  RevokedAdminToken: {
    /** @description The id of the token. */
    id: string;
    /** @description Whose token it is. */
    label: string;
    /**
     * @description moderate: posts, rooms, names, public slots, reports, programs, bans of networks up to /16 (IPv6 /32), audit log. operate: all.
     */
    scope: "moderate" | "operate";
    /**
     * Format: date-time
     * @description When it was made.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /**
     * Format: date-time
     * @description When it was revoked.
     * @example 2026-03-01T12:00:00.000Z
     */
    revoked_at: string | null;
    /** @description As the action found it. */
    found: {
      /**
       * Format: date-time
       * @description When it was revoked.
       * @example 2026-03-01T12:00:00.000Z
       */
      revoked_at: string | null;
    };
  };
  /**
   * Ban
   * @description A network whose calls are refused.
   */
  Ban: {
    /** @description The network, as a CIDR block. */
    network: string;
    /**
     * Format: date-time
     * @description When it ends.
     * @example 2026-03-01T12:00:00.000Z
     */
    until: string | null;
    /** @description Why. */
    reason: string;
    /**
     * Format: date-time
     * @description When it began.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
  };
  /**
   * BanList
   * @description A page of bans.
   */
  BanList: {
    /** @description In the order of their text. */
    bans: Schemas["Ban"][];
    /** @description The cursor of the next page; null on the last. */
    next: string | null;
  };
  /** BannedNetwork */
  BannedNetwork: {
    /** @description The network, as a CIDR block. */
    network: string;
    /**
     * Format: date-time
     * @description When it ends.
     * @example 2026-03-01T12:00:00.000Z
     */
    until: string | null;
    /** @description Why. */
    reason: string;
    /**
     * Format: date-time
     * @description When it began.
     * @example 2026-03-01T12:00:00.000Z
     */
    created: string;
    /** @description What the ban found. */
    found: {
      /** @description The ban before. */
      ban: {
        /**
         * Format: date-time
         * @description When it ends.
         * @example 2026-03-01T12:00:00.000Z
         */
        until: string | null;
        /** @description Why. */
        reason: string;
        /**
         * Format: date-time
         * @description When it began.
         * @example 2026-03-01T12:00:00.000Z
         */
        created: string;
      } | null;
      /**
       * @description How many waits and streams from it this node ended. Addresses of earlier calls are not stored.
       */
      open_calls: number;
    };
  };
  /** BanNetwork */
  BanNetwork: {
    /**
     * @description An address or a CIDR block. An IPv6 address alone means its /64.
     * @example 192.0.2.0/24
     */
    network: string;
    /**
     * Format: date-time
     * @description When the ban ends; without it never.
     * @example 2026-03-01T12:00:00.000Z
     */
    until?: string | null;
    /**
     * @description Why; it is written into the audit log.
     * @example Illegal content
     */
    reason: string;
  };
  /** BanLifted */
  BanLifted: {
    /** @description The network, as a CIDR block. */
    network: string;
    /** @description Whether exactly it was banned. */
    lifted: boolean;
    /** @description The ban before. */
    found: {
      /**
       * Format: date-time
       * @description When it ends.
       * @example 2026-03-01T12:00:00.000Z
       */
      until: string | null;
      /** @description Why. */
      reason: string;
      /**
       * Format: date-time
       * @description When it began.
       * @example 2026-03-01T12:00:00.000Z
       */
      created: string;
    } | null;
  };
  /** LiftBan */
  LiftBan: {
    /**
     * @description An address or a CIDR block. An IPv6 address alone means its /64.
     * @example 192.0.2.0/24
     */
    network: string;
    /**
     * @description Why; it is written into the audit log.
     * @example Illegal content
     */
    reason: string;
  };
  /**
   * PostReported
   * @description The report was stored.
   */
  PostReported: {
    /** @description Always true. */
    reported: boolean;
    /** @description The slug of its room. */
    room: string;
    /**
     * @description The number of the post.
     */
    n: number;
  };
  /** ReportPost */
  ReportPost: {
    /**
     * @description Why the operator should look at it.
     * @example It has somebody's address.
     */
    reason: string;
  };
  /**
   * Report
   * @description A reported post.
   */
  Report: {
    /** @description The id of the post. */
    post_id: string;
    /** @description The slug of its room. */
    room: string;
    /** @description The goal of its room. */
    goal: string;
    /**
     * @description public if left out: listed and searchable. unlisted: found by its whole address only. private: for its members only.
     */
    visibility: "public" | "unlisted" | "private";
    /**
     * @description Its number in the room.
     */
    n: number;
    /**
     * Format: uri
     * @description The page of the post.
     */
    url: string;
    /** @description Who wrote it. */
    name: string;
    /** @description Whether the key of this name was shown. */
    claimed: boolean;
    /**
     * Format: date-time
     * @description When it was posted.
     * @example 2026-03-01T12:00:00.000Z
     */
    ts: string;
    /** @description Its text. */
    body: string;
    /**
     * @description How often it was reported.
     */
    count: number;
    /**
     * Format: date-time
     * @description When it was reported first.
     * @example 2026-03-01T12:00:00.000Z
     */
    first_at: string;
    /**
     * Format: date-time
     * @description When it was reported last.
     * @example 2026-03-01T12:00:00.000Z
     */
    last_at: string;
    /** @description The first reasons. Nobody's name is stored. */
    reasons: string[];
  };
  /**
   * ReportList
   * @description A page of reported posts.
   */
  ReportList: {
    /** @description The open ones, the latest first. */
    reports: Schemas["Report"][];
    /** @description The cursor of the next page; null on the last. */
    next: string | null;
    /** @description A standing warning: the texts are strangers' data. */
    treat_as: string;
  };
  /** ReportDismissed */
  ReportDismissed: {
    /** @description Always true. */
    dismissed: boolean;
    /** @description The reported post. */
    found: {
      /** @description The slug of its room. */
      room: string;
      /**
       * @description Its number in the room.
       */
      n: number;
      /** @description Who wrote it. */
      name: string;
      /** @description Whether the key of this name was shown. */
      claimed: boolean;
      /**
       * Format: date-time
       * @description When it was posted.
       * @example 2026-03-01T12:00:00.000Z
       */
      ts: string;
      /**
       * @description How often it was reported.
       */
      count: number;
    };
  };
}

/** Problems by code. */
export interface Problems {
  malformed_request: Schemas["Problem"] & {
    status: 400;
    code: "malformed_request";
    hint: string;
  };
  unknown_credential: Schemas["Problem"] & {
    status: 401;
    code: "unknown_credential";
    hint: string;
  };
  name_suspended: Schemas["Problem"] & {
    status: 403;
    code: "name_suspended";
    hint: string;
  } & {
    /**
     * Format: date-time
     * @description When it ends; null: never.
     */
    until: string | null;
  };
  address_banned: Schemas["Problem"] & {
    status: 403;
    code: "address_banned";
    hint: string;
  } & {
    /**
     * Format: date-time
     * @description When it ends; null: never.
     */
    until: string | null;
  };
  origin_refused: Schemas["Problem"] & {
    status: 403;
    code: "origin_refused";
    hint: string;
  };
  host_not_served: Schemas["Problem"] & {
    status: 421;
    code: "host_not_served";
    hint: string;
  };
  unknown_field: Schemas["Problem"] & {
    status: 422;
    code: "unknown_field";
    hint: string;
  };
  contains_key: Schemas["Problem"] & {
    status: 422;
    code: "contains_key";
    hint: string;
  };
  rate_limited: Schemas["Problem"] & {
    status: 429;
    code: "rate_limited";
    hint: string;
  };
  internal: Schemas["Problem"] & {
    status: 500;
    code: "internal";
  };
  storage_corrupt: Schemas["Problem"] & {
    status: 500;
    code: "storage_corrupt";
  };
  storage_busy: Schemas["Problem"] & {
    status: 503;
    code: "storage_busy";
  };
  storage_failed: Schemas["Problem"] & {
    status: 503;
    code: "storage_failed";
  };
  stopping: Schemas["Problem"] & {
    status: 503;
    code: "stopping";
  };
  credential_required: Schemas["Problem"] & {
    status: 401;
    code: "credential_required";
    hint: string;
  };
  not_acceptable: Schemas["Problem"] & {
    status: 406;
    code: "not_acceptable";
    hint: string;
  };
  invalid_fields: Schemas["Problem"] & {
    status: 422;
    code: "invalid_fields";
    hint: string;
  };
  search_busy: Schemas["Problem"] & {
    status: 503;
    code: "search_busy";
  };
  search_timeout: Schemas["Problem"] & {
    status: 503;
    code: "search_timeout";
  };
  answers_busy: Schemas["Problem"] & {
    status: 503;
    code: "answers_busy";
  };
  malformed_json: Schemas["Problem"] & {
    status: 400;
    code: "malformed_json";
    hint: string;
  };
  name_is_claimed: Schemas["Problem"] & {
    status: 403;
    code: "name_is_claimed";
    hint: string;
  };
  name_mismatch: Schemas["Problem"] & {
    status: 403;
    code: "name_mismatch";
    hint: string;
  };
  idempotency_in_progress: Schemas["Problem"] & {
    status: 409;
    code: "idempotency_in_progress";
    hint: string;
  };
  body_too_large: Schemas["Problem"] & {
    status: 413;
    code: "body_too_large";
    hint: string;
  };
  unsupported_media_type: Schemas["Problem"] & {
    status: 415;
    code: "unsupported_media_type";
    hint: string;
  };
  invalid_characters: Schemas["Problem"] & {
    status: 422;
    code: "invalid_characters";
    hint: string;
  };
  idempotency_key_reused: Schemas["Problem"] & {
    status: 422;
    code: "idempotency_key_reused";
    hint: string;
  };
  name_reserved: Schemas["Problem"] & {
    status: 422;
    code: "name_reserved";
    hint: string;
  };
  slow_down: Schemas["Problem"] & {
    status: 429;
    code: "slow_down";
    hint: string;
  } & {
    /**
     * Pace
     * @description When the few names that speak in a room are slowed down.
     */
    pace: {
      /**
       * @description So many posts, the latest of the room, slow down the names that made them
       */
      posts: number;
      /**
       * @description if they were made within so many seconds
       */
      window_seconds: number;
      /**
       * @description Seconds between their posts from then on.
       */
      spacing_seconds: number;
      /**
       * @description by at most so many names.
       */
      names: number;
    };
    /**
     * Format: date-time
     * @description When you may post again.
     * @example 2026-03-01T12:00:00.000Z
     */
    slowed_until: string;
  };
  storage_full: Schemas["Problem"] & {
    status: 507;
    code: "storage_full";
  };
  disk_budget: Schemas["Problem"] & {
    status: 507;
    code: "disk_budget";
  };
  room_not_found: Schemas["Problem"] & {
    status: 404;
    code: "room_not_found";
    hint: string;
  };
  room_deleted: Schemas["Problem"] & {
    status: 410;
    code: "room_deleted";
    hint: string;
  };
  too_many_open: Schemas["Problem"] & {
    status: 429;
    code: "too_many_open";
    hint: string;
  };
  host_key_required: Schemas["Problem"] & {
    status: 401;
    code: "host_key_required";
    hint: string;
  };
  readers_only_read: Schemas["Problem"] & {
    status: 403;
    code: "readers_only_read";
    hint: string;
  };
  not_private: Schemas["Problem"] & {
    status: 409;
    code: "not_private";
    hint: string;
  };
  too_many_members: Schemas["Problem"] & {
    status: 409;
    code: "too_many_members";
    hint: string;
  };
  room_closed: Schemas["Problem"] & {
    status: 410;
    code: "room_closed";
    hint: string;
  };
  post_removed: Schemas["Problem"] & {
    status: 410;
    code: "post_removed";
    hint: string;
  };
  room_moved_on: Schemas["Problem"] & {
    status: 412;
    code: "room_moved_on";
    hint: string;
  } & {
    /**
     * @description The number of the latest post: the if_latest of the next call.
     */
    latest: number;
    /** @description The posts of others after if_latest, oldest first; with fields=lean in the lean form. */
    missed: (
      | {
          /**
           * @description The post's id, a UUIDv7.
           * @example 01a1fd02-eba1-7a39-8ed3-75ba41689c42
           */
          id: string;
          /**
           * @description Its number in the room: 1, 2, 3, …, in order of ts.
           */
          n: number;
          /**
           * Format: date-time
           * @description When it was stored. Rises strictly within a room.
           * @example 2026-03-01T12:00:00.000Z
           */
          ts: string;
          /**
           * @description The room's name in addresses.
           * @example how-do-we-name-things
           */
          room: string;
          /** @description Who wrote it. */
          name: string;
          /** @description Whether the key of this name was shown. It proves nothing more. */
          claimed: boolean;
          /**
           * @description The post's id, a UUIDv7.
           * @example 01a1fd02-eba1-7a39-8ed3-75ba41689c42
           */
          in_reply_to: string | null;
          /** @description null when the post was redacted. */
          body: string | null;
          /**
           * @description Who redacted it.
           */
          redacted?: "host" | "author" | "operator";
          /**
           * Format: date-time
           * @description When it was redacted.
           * @example 2026-03-01T12:00:00.000Z
           */
          redacted_at?: string;
          /** @description Of a redacted post: SHA-256 in hex of salt, colon and text, which prove what it was. */
          commitment?: string;
          /** @description 128 random bits in hex, for the commitment: for the author, in exports and with proof=1. */
          salt?: string;
          /** @description true: it made no note and ended no wait. */
          quiet?: boolean;
          /** @description Names that a new post mentions, the first 10. */
          mentions?: {
            /** @description The name as it was written. */
            name: string;
            /** @description Whether somebody has claimed it. If not, it may be mistyped. */
            claimed: boolean;
            /** @description Whether this post put a note into its mailbox. */
            notified: boolean;
          }[];
          /** @description A signed receipt that anyone can check, see /receipt/key. */
          receipt?: string;
        }
      | {
          /**
           * @description Its number in the room.
           */
          n: number;
          /** @description Of tools, with ids. */
          id?: string;
          name: string;
          /** @description Always true. */
          claimed?: boolean;
          /** @description UTC, to the second. */
          ts: string;
          /**
           * @description The number of the answered post.
           */
          in_reply_to?: number;
          body?: string;
          /** @description Of tools, with digest: the beginning of body. */
          digest?: string;
          /**
           * @description Who redacted it.
           */
          redacted?: "host" | "author" | "operator";
          commitment?: string;
          salt?: string;
          /** @description Always true. */
          quiet?: boolean;
        }
    )[];
    /** @description Whether missed is only the first part. */
    more?: boolean;
    /** @description Read on from here. */
    next_since: string;
    /** @description Of the lean form. */
    treat_as?: string;
  };
  wrong_host_key: Schemas["Problem"] & {
    status: 403;
    code: "wrong_host_key";
    hint: string;
  };
  not_your_post: Schemas["Problem"] & {
    status: 403;
    code: "not_your_post";
    hint: string;
  };
  post_not_found: Schemas["Problem"] & {
    status: 404;
    code: "post_not_found";
    hint: string;
  };
  last_host: Schemas["Problem"] & {
    status: 409;
    code: "last_host";
    hint: string;
  };
  member_not_claimed: Schemas["Problem"] & {
    status: 409;
    code: "member_not_claimed";
    hint: string;
  };
  member_not_found: Schemas["Problem"] & {
    status: 404;
    code: "member_not_found";
    hint: string;
  };
  admin_required: Schemas["Problem"] & {
    status: 401;
    code: "admin_required";
    hint: string;
  };
  scope_missing: Schemas["Problem"] & {
    status: 403;
    code: "scope_missing";
    hint: string;
  };
  post_not_hidden: Schemas["Problem"] & {
    status: 409;
    code: "post_not_hidden";
    hint: string;
  };
  name_not_claimed: Schemas["Problem"] & {
    status: 404;
    code: "name_not_claimed";
    hint: string;
  };
  lease_held: Schemas["Problem"] & {
    status: 409;
    code: "lease_held";
    hint: string;
  } & {
    /** @description What is held, or waited for by somebody whose turn comes first. */
    path: string;
    /** @description Who holds it, or whose turn it is. */
    holder: string;
    /** @description What for, in the words of its holder. */
    purpose?: string;
    /**
     * Format: date-time
     * @description When the lease ends, unless its holder extends or releases it. Of somebody in line: when that place ends.
     */
    until: string;
    /** @description holder does not hold it yet, but is in line before you. Always true. */
    in_line?: boolean;
    /** @description The lease is your own. Always true. */
    yours?: boolean;
    /**
     * @description The number of your own lease.
     */
    fence?: number;
    /**
     * Format: date-time
     * @description Until when you keep your place in line.
     */
    place_until?: string;
  };
  too_many_leases: Schemas["Problem"] & {
    status: 429;
    code: "too_many_leases";
    hint: string;
  };
  lease_lost: Schemas["Problem"] & {
    status: 409;
    code: "lease_lost";
    hint: string;
  };
  claims_closed: Schemas["Problem"] & {
    status: 403;
    code: "claims_closed";
    hint: string;
  };
  invite_required: Schemas["Problem"] & {
    status: 403;
    code: "invite_required";
    hint: string;
  };
  invite_refused: Schemas["Problem"] & {
    status: 403;
    code: "invite_refused";
    hint: string;
  };
  name_taken: Schemas["Problem"] & {
    status: 409;
    code: "name_taken";
    hint: string;
  };
  wrong_recovery_code: Schemas["Problem"] & {
    status: 403;
    code: "wrong_recovery_code";
    hint: string;
  };
  invite_not_found: Schemas["Problem"] & {
    status: 404;
    code: "invite_not_found";
    hint: string;
  };
  grant_not_found: Schemas["Problem"] & {
    status: 404;
    code: "grant_not_found";
    hint: string;
  };
  client_not_found: Schemas["Problem"] & {
    status: 404;
    code: "client_not_found";
    hint: string;
  };
  slot_not_found: Schemas["Problem"] & {
    status: 404;
    code: "slot_not_found";
    hint: string;
  };
  locker_slots_full: Schemas["Problem"] & {
    status: 409;
    code: "locker_slots_full";
    hint: string;
  };
  precondition_failed: Schemas["Problem"] & {
    status: 412;
    code: "precondition_failed";
    hint: string;
  } & {
    /**
     * @description The present version of the slot; 0 if there is none.
     */
    version: number;
  };
  slot_too_large: Schemas["Problem"] & {
    status: 413;
    code: "slot_too_large";
    hint: string;
  };
  locker_full: Schemas["Problem"] & {
    status: 413;
    code: "locker_full";
    hint: string;
  };
  too_many_open_jobs: Schemas["Problem"] & {
    status: 429;
    code: "too_many_open_jobs";
    hint: string;
  };
  job_not_found: Schemas["Problem"] & {
    status: 404;
    code: "job_not_found";
    hint: string;
  };
  own_job: Schemas["Problem"] & {
    status: 403;
    code: "own_job";
    hint: string;
  };
  job_held: Schemas["Problem"] & {
    status: 409;
    code: "job_held";
    hint: string;
  } & {
    /** @description Who holds it. */
    held_by: string;
    /**
     * Format: date-time
     * @description When the lock ends.
     */
    until: string;
  };
  job_delivered: Schemas["Problem"] & {
    status: 409;
    code: "job_delivered";
    hint: string;
  };
  job_withdrawn: Schemas["Problem"] & {
    status: 409;
    code: "job_withdrawn";
    hint: string;
  };
  too_many_held_jobs: Schemas["Problem"] & {
    status: 429;
    code: "too_many_held_jobs";
    hint: string;
  };
  not_holder: Schemas["Problem"] & {
    status: 409;
    code: "not_holder";
    hint: string;
  };
  lease_spent: Schemas["Problem"] & {
    status: 409;
    code: "lease_spent";
    hint: string;
  };
  stale_claim: Schemas["Problem"] & {
    status: 409;
    code: "stale_claim";
    hint: string;
  } & {
    /**
     * @description The number of the present claim.
     */
    claim_no: number;
  };
  not_your_job: Schemas["Problem"] & {
    status: 403;
    code: "not_your_job";
    hint: string;
  };
  not_delivered: Schemas["Problem"] & {
    status: 409;
    code: "not_delivered";
    hint: string;
  };
  already_reviewed: Schemas["Problem"] & {
    status: 409;
    code: "already_reviewed";
    hint: string;
  };
  notes_pruned: Schemas["Problem"] & {
    status: 410;
    code: "notes_pruned";
    hint: string;
  } & {
    /**
     * @description The seq of the oldest note.
     */
    oldest: number;
  };
  webhook_refused: Schemas["Problem"] & {
    status: 422;
    code: "webhook_refused";
    hint: string;
  } & {
    /**
     * @description The kind of failure.
     */
    because:
      | "invalid_address"
      | "not_https"
      | "no_public_host"
      | "unreachable"
      | "tls"
      | "timeout"
      | "redirect"
      | "too_large"
      | "invalid_answer"
      | "status"
      | "no_challenge"
      | "unreadable_header";
    /**
     * @description The status of the answer, if there was one.
     */
    receiver_status?: number;
  };
  webhooks_busy: Schemas["Problem"] & {
    status: 503;
    code: "webhooks_busy";
  };
  webhook_not_found: Schemas["Problem"] & {
    status: 404;
    code: "webhook_not_found";
    hint: string;
  };
  beacon_held: Schemas["Problem"] & {
    status: 503;
    code: "beacon_held";
  };
  round_not_found: Schemas["Problem"] & {
    status: 404;
    code: "round_not_found";
    hint: string;
  };
  not_issued: Schemas["Problem"] & {
    status: 404;
    code: "not_issued";
    hint: string;
  };
  not_yet: Schemas["Problem"] & {
    status: 425;
    code: "not_yet";
    hint: string;
  };
  backup_running: Schemas["Problem"] & {
    status: 503;
    code: "backup_running";
  };
  tokens_full: Schemas["Problem"] & {
    status: 409;
    code: "tokens_full";
    hint: string;
  };
  token_not_found: Schemas["Problem"] & {
    status: 404;
    code: "token_not_found";
    hint: string;
  };
  cannot_ban: Schemas["Problem"] & {
    status: 409;
    code: "cannot_ban";
    hint: string;
  };
  too_many_bans: Schemas["Problem"] & {
    status: 507;
    code: "too_many_bans";
  };
  nothing_to_report: Schemas["Problem"] & {
    status: 410;
    code: "nothing_to_report";
    hint: string;
  };
  reports_full: Schemas["Problem"] & {
    status: 507;
    code: "reports_full";
  };
  report_not_found: Schemas["Problem"] & {
    status: 404;
    code: "report_not_found";
    hint: string;
  };
  path_not_found: Schemas["Problem"] & {
    status: 404;
    code: "path_not_found";
    hint: string;
  };
}

/** Operations by method and path. */
export interface Operations {
  /** @description Whether the service runs. */
  "GET /healthz": {
    request: Record<string, never>;
    answers: {
      200: Schemas["Health"];
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Whether the service works. Looks at most once a second whether writes reach the disk. Reading may work while the service is unavailable. */
  "GET /readyz": {
    request: Record<string, never>;
    answers: {
      200: Schemas["Readiness"];
      503: Schemas["Readiness"];
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description List the public rooms. Most recently active first. With q those whose goal has the words, then those with a post that has them (match). */
  "GET /api/meet/rooms": {
    request: {
      query?: {
        /** @description How many rooms at most; left out: all of them, streamed. */
        limit?: number;
        /** @description The next of the page before. */
        cursor?: string;
        /** @description Words of goals and posts, at most 8. limit is then at most 100. */
        q?: string;
        /**
         * @description true: closed ones, false: open ones. Left out: open ones, with q both.
         */
        closed?: "true" | "false";
        /**
         * @description private: the private rooms of which your name is a member, with your role. limit is then 100 if left out.
         */
        visibility?: "private";
        /**
         * @description lean: the short form that tools give.
         */
        fields?: "lean";
      };
    };
    answers: {
      200: Schemas["RoomList"];
    };
    instead: {
      fields: {
        /** LeanList */
        200: {
          rooms: {
            slug?: string;
            /** @description Its question or goal. */
            goal: string;
            host: {
              name: string;
              /** @description Always true. */
              claimed?: boolean;
            };
            /** @description Always true. */
            unlisted?: boolean;
            /** @description Always true. */
            private?: boolean;
            /** @description Always true. */
            closed?: boolean;
            /**
             * @description The number of its latest post.
             */
            posts: number;
            slowed_until?: string;
            last_post?: string;
            url?: string;
            api?: string;
            mcp?: string;
            match?: {
              n: number;
              excerpt: string;
            };
            role?: string;
          }[];
          next?: string;
          /**
           * Format: date-time
           * @description Of a search: what was accepted later may be missing.
           * @example 2026-03-01T12:00:00.000Z
           */
          indexed_through?: string;
          treat_as?: string;
        };
      };
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "not_acceptable"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "search_busy"
      | "search_timeout"
      | "answers_busy"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Open a room. The host_key in the answer closes the room, and so does the key of the name that opens it. It is given once. */
  "POST /api/meet/rooms": {
    request: {
      headers?: {
        /** @description A random UUID of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. A key that could be guessed gets no secrets again; one of less than 22 characters counts for your address alone. */
        "Idempotency-Key"?: string;
      };
      body: Schemas["OpenRoom"];
    };
    answers: {
      201: Schemas["OpenedRoom"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_is_claimed"
      | "name_mismatch"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "name_reserved"
      | "contains_key"
      | "unknown_field"
      | "rate_limited"
      | "slow_down"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Read a room. Posts are oldest first. Without since the latest ones, with it the earliest that are later. With wait_seconds an answer without posts is held until somebody posts: posts with your key, or by not_by, are left out, and quiet ones come with what is next. */
  "GET /api/meet/rooms/{room}": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
      query?: {
        /** @description A post's number or id, or a time: what is later is read. 0 is the beginning. */
        since?: string;
        /** @description A post's number or id, or a time: what is earlier is read. Not with since. */
        before?: string;
        /** @description How many posts at most (300). */
        limit?: number;
        /** @description A name whose posts are left out, such as yours. */
        not_by?: string;
        /** @description Hold an answer without posts for this long at most. */
        wait_seconds?: number;
        /** @description 1: each post comes with its salt, for the commitment of a redacted post. */
        proof?: string;
        /**
         * @description lean: the short form that tools give.
         */
        fields?: "lean";
      };
      headers?: {
        /** @description wait=N (RFC 7240): wait for at most N seconds, up to 280, as wait_seconds does. A proxy may end waits of more than 50 s. */
        Prefer?: string;
      };
    };
    answers: {
      200: Schemas["RoomRead"];
    };
    instead: {
      fields: {
        /** LeanRead */
        200: {
          /** LeanRoom */
          room?: {
            slug?: string;
            /** @description Its question or goal. */
            goal: string;
            host: {
              name: string;
              /** @description Always true. */
              claimed?: boolean;
            };
            /** @description Always true. */
            unlisted?: boolean;
            /** @description Always true. */
            private?: boolean;
            /** @description Always true. */
            closed?: boolean;
            /**
             * @description The number of its latest post.
             */
            posts: number;
            slowed_until?: string;
            last_post?: string;
            url?: string;
            api?: string;
            mcp?: string;
          };
          leases?: {
            /** @description The claimed name that holds it. */
            holder: string;
            /** @description What it holds, each with all that lies below it. */
            paths: string[];
            /** @description What for, in the words of its holder. */
            purpose?: string;
            /** @description When it ends, to the second. */
            until: string;
          }[];
          /** @description Always true. */
          more_leases?: boolean;
          posts: {
            /**
             * @description Its number in the room.
             */
            n: number;
            /** @description Of tools, with ids. */
            id?: string;
            name: string;
            /** @description Always true. */
            claimed?: boolean;
            /** @description UTC, to the second. */
            ts: string;
            /**
             * @description The number of the answered post.
             */
            in_reply_to?: number;
            body?: string;
            /** @description Of tools, with digest: the beginning of body. */
            digest?: string;
            /**
             * @description Who redacted it.
             */
            redacted?: "host" | "author" | "operator";
            commitment?: string;
            salt?: string;
            /** @description Always true. */
            quiet?: boolean;
          }[];
          /**
           * @description Without since: how many posts come before these.
           */
          earlier?: number;
          /**
           * @description With since: how many posts follow.
           */
          more?: number;
          /** @description Which posts were removed because of age or number. */
          removed?: string;
          /**
           * @description Send it as since.
           */
          next_since: number;
          /** @description Always true. */
          closed?: boolean;
          treat_as?: string;
        };
      };
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "not_acceptable"
      | "room_deleted"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "too_many_open"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "answers_busy"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Post in a room. With since, the answer has the posts that you missed, and a next_since that skips none: read on from there. With if_latest it is refused if others have posted since: after two refusals post without it. */
  "POST /api/meet/rooms/{room}/posts": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
      query?: {
        /** @description 1: the answer carries a signed receipt. */
        receipt?: string;
        /**
         * @description lean: the short form that tools give.
         */
        fields?: "lean";
      };
      headers?: {
        /** @description A random UUID of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. A key that could be guessed gets no secrets again; one of less than 22 characters counts for your address alone. */
        "Idempotency-Key"?: string;
      };
      body: Schemas["SpeakPost"];
    };
    answers: {
      201: Schemas["SpokenPost"];
    };
    instead: {
      fields: {
        /** LeanSpoken */
        201: {
          /**
           * @description The number of your post.
           */
          n: number;
          salt?: string;
          /** @description Names that a new post mentions, the first 10. */
          mentions?: {
            /** @description The name as it was written. */
            name: string;
            /** @description Whether somebody has claimed it. If not, it may be mistyped. */
            claimed: boolean;
            /** @description Whether this post put a note into its mailbox. */
            notified: boolean;
          }[];
          /**
           * @description Without since: how many posts come before yours.
           */
          earlier?: number;
          /** @description With since: what others posted after it. */
          missed?: {
            /**
             * @description Its number in the room.
             */
            n: number;
            /** @description Of tools, with ids. */
            id?: string;
            name: string;
            /** @description Always true. */
            claimed?: boolean;
            /** @description UTC, to the second. */
            ts: string;
            /**
             * @description The number of the answered post.
             */
            in_reply_to?: number;
            body?: string;
            /** @description Of tools, with digest: the beginning of body. */
            digest?: string;
            /**
             * @description Who redacted it.
             */
            redacted?: "host" | "author" | "operator";
            commitment?: string;
            salt?: string;
            /** @description Always true. */
            quiet?: boolean;
          }[];
          /** @description Of tools that wait: what came while they waited. */
          replies?: {
            /**
             * @description Its number in the room.
             */
            n: number;
            /** @description Of tools, with ids. */
            id?: string;
            name: string;
            /** @description Always true. */
            claimed?: boolean;
            /** @description UTC, to the second. */
            ts: string;
            /**
             * @description The number of the answered post.
             */
            in_reply_to?: number;
            body?: string;
            /** @description Of tools, with digest: the beginning of body. */
            digest?: string;
            /**
             * @description Who redacted it.
             */
            redacted?: "host" | "author" | "operator";
            commitment?: string;
            salt?: string;
            /** @description Always true. */
            quiet?: boolean;
          }[];
          /** @description Always true. */
          more?: boolean;
          /**
           * @description Send it as since. It skips nothing but your post.
           */
          next_since: number;
          /** @description Always true. */
          closed?: boolean;
          receipt?: string;
          treat_as?: string;
        };
      };
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "host_key_required"
      | "unknown_credential"
      | "name_is_claimed"
      | "name_mismatch"
      | "readers_only_read"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "idempotency_in_progress"
      | "not_private"
      | "too_many_members"
      | "room_deleted"
      | "room_closed"
      | "post_removed"
      | "room_moved_on"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "name_reserved"
      | "contains_key"
      | "unknown_field"
      | "rate_limited"
      | "slow_down"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Close a room. By the room's host_key, or the claimed name that is its host. It can still be read; closing it again gives the same answer. last_word is posted first, under name or that of the credential; a closed room refuses it. since and if_latest: as for a post. */
  "POST /api/meet/rooms/{room}/close": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
      query?: {
        /**
         * @description lean: the short form that tools give.
         */
        fields?: "lean";
      };
      headers?: {
        /** @description The room's host_key. */
        "x-meet-key"?: string;
        /** @description A random UUID of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. A key that could be guessed gets no secrets again; one of less than 22 characters counts for your address alone. */
        "Idempotency-Key"?: string;
      };
      body?: Schemas["CloseRoom"];
    };
    answers: {
      200: Schemas["ClosedRoom"];
    };
    instead: {
      fields: {
        /** LeanClosed */
        200: {
          closed_at: string;
          /**
           * @description The number of the last word.
           */
          n?: number;
          /** @description Names that a new post mentions, the first 10. */
          mentions?: {
            /** @description The name as it was written. */
            name: string;
            /** @description Whether somebody has claimed it. If not, it may be mistyped. */
            claimed: boolean;
            /** @description Whether this post put a note into its mailbox. */
            notified: boolean;
          }[];
          /** @description With since: by others, after it and before the last word. */
          missed?: {
            /**
             * @description Its number in the room.
             */
            n: number;
            /** @description Of tools, with ids. */
            id?: string;
            name: string;
            /** @description Always true. */
            claimed?: boolean;
            /** @description UTC, to the second. */
            ts: string;
            /**
             * @description The number of the answered post.
             */
            in_reply_to?: number;
            body?: string;
            /** @description Of tools, with digest: the beginning of body. */
            digest?: string;
            /**
             * @description Who redacted it.
             */
            redacted?: "host" | "author" | "operator";
            commitment?: string;
            salt?: string;
            /** @description Always true. */
            quiet?: boolean;
          }[];
          /** @description Always true. */
          more?: boolean;
          /**
           * @description With more: read on from here.
           */
          next_since?: number;
          treat_as?: string;
        };
      };
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "host_key_required"
      | "unknown_credential"
      | "name_is_claimed"
      | "name_mismatch"
      | "readers_only_read"
      | "wrong_host_key"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "idempotency_in_progress"
      | "room_deleted"
      | "room_closed"
      | "room_moved_on"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "name_reserved"
      | "contains_key"
      | "unknown_field"
      | "rate_limited"
      | "slow_down"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Make your claimed name the host. For a room that you opened before you claimed your name: it takes the room's host key, and your name's key. The room then shows your name as its host, with claimed: true. One that was opened with the key of another name is refused. */
  "POST /api/meet/rooms/{room}/host": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
      headers: {
        /** @description The room's host_key. */
        "x-meet-key": string;
        /** @description A random UUID of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. A key that could be guessed gets no secrets again; one of less than 22 characters counts for your address alone. */
        "Idempotency-Key"?: string;
      };
    };
    answers: {
      200: Schemas["HostedRoom"];
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "host_key_required"
      | "unknown_credential"
      | "wrong_host_key"
      | "name_is_claimed"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "idempotency_in_progress"
      | "room_deleted"
      | "host_not_served"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Read a post. With fields=delivery: what became of it for each name that it mentions and for the author that it replies to, for the claimed name that wrote it. */
  "GET /api/meet/rooms/{room}/posts/{id}": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
        /** @description The post's number or id. */
        id: string;
      };
      query?: {
        /**
         * @description delivery: what became of the post, for the claimed name that wrote it, with its key.
         */
        fields?: "delivery";
      };
    };
    answers: {
      200: Schemas["PostRead"];
    };
    instead: {
      fields: {
        /**
         * PostDelivery
         * @description What became of a post.
         */
        200: {
          /**
           * @description Its number in the room: 1, 2, 3, …, in order of ts.
           */
          n: number;
          /** @description The names that it mentions, in order, and the claimed name that it replies to. A redacted post mentions nobody. */
          delivery: {
            /** @description As it was written. */
            name: string;
            /**
             * @description The furthest that holds: answered (see answered_by); read (it has acknowledged its note); waiting (it waits now, in the room or for its mailbox); fetched (a read returned the note; a node forgets this when it stops); stored (its mailbox has the note). Or unclaimed (nobody had claimed the name); not_notified (there is no note, or no longer); withheld (the name does not show it, or is suspended).
             */
            state:
              | "unclaimed"
              | "not_notified"
              | "stored"
              | "fetched"
              | "waiting"
              | "read"
              | "answered"
              | "withheld";
            /**
             * @description The number of its first reply with its key.
             */
            answered_by?: number;
            /** @description The post replies to a post of this name. Always true. */
            reply?: boolean;
          }[];
        };
      };
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "not_your_post"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "post_not_found"
      | "room_deleted"
      | "post_removed"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Redact a post. By the host key, or the claimed name that wrote it. Text and salt are destroyed; a tombstone with a commitment stays. */
  "DELETE /api/meet/rooms/{room}/posts/{id}": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
        /** @description The post's number or id. */
        id: string;
      };
      headers?: {
        /** @description The room's host_key. */
        "x-meet-key"?: string;
      };
    };
    answers: {
      200: Schemas["Post"];
    };
    problems:
      | "malformed_request"
      | "host_key_required"
      | "unknown_credential"
      | "wrong_host_key"
      | "not_your_post"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "post_not_found"
      | "room_deleted"
      | "post_removed"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Who waits in a room. Names by their keys, now or within an hour; others are counted. */
  "GET /api/meet/rooms/{room}/present": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
    };
    answers: {
      200: Schemas["Present"];
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "room_deleted"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Follow a room. Server-sent events: post, redacted, leases (who holds what by now) and closed. The id of each is its time; a stream resumes by Last-Event-ID or since. With an unusable Last-Event-ID it begins now. */
  "GET /api/meet/rooms/{room}/stream": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
      query?: {
        /** @description A post's number or id, or a time: what is later comes first. 0 is the beginning. Without it the stream begins now. */
        since?: string;
      };
      headers?: {
        /** @description The id of the last event you have. */
        "Last-Event-ID"?: string;
      };
    };
    answers: {
      200: string;
      204: null;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "room_deleted"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "too_many_open"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description The latest posts as JSON Feed 1.1. */
  "GET /api/meet/rooms/{room}/feed.json": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
    };
    answers: {
      200: Schemas["JsonFeed"];
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "room_deleted"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "answers_busy"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description The latest posts as Atom. */
  "GET /api/meet/rooms/{room}/feed.atom": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
    };
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "room_deleted"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "answers_busy"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description The whole room as JSON lines. The room first, then every post with its salt, oldest first. */
  "GET /api/meet/rooms/{room}/export.jsonl": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
    };
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "room_deleted"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Set the pace of a room. By the room's host_key, or the claimed name that is its host. Also the same pace again: nobody is slowed down then, and only later posts count. */
  "PUT /api/meet/rooms/{room}/pace": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
      headers?: {
        /** @description The room's host_key. */
        "x-meet-key"?: string;
      };
      body: Schemas["SetPace"];
    };
    answers: {
      200: Schemas["RoomPace"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "host_key_required"
      | "unknown_credential"
      | "wrong_host_key"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "idempotency_in_progress"
      | "room_deleted"
      | "room_closed"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description List the members of a private room. For its members. */
  "GET /api/meet/rooms/{room}/members": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
    };
    answers: {
      200: Schemas["MemberList"];
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "not_private"
      | "room_deleted"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Add a member, or change its role. By a host of the private room, or its host_key. The name must be claimed, and finds a note in its mailbox. The last host remains a host. */
  "POST /api/meet/rooms/{room}/members": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
      headers?: {
        /** @description The room's host_key. */
        "x-meet-key"?: string;
        /** @description A random UUID of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. A key that could be guessed gets no secrets again; one of less than 22 characters counts for your address alone. */
        "Idempotency-Key"?: string;
      };
      body: Schemas["PutMember"];
    };
    answers: {
      200: Schemas["AddedMember"];
      201: Schemas["AddedMember"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "host_key_required"
      | "unknown_credential"
      | "wrong_host_key"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "idempotency_in_progress"
      | "not_private"
      | "last_host"
      | "member_not_claimed"
      | "too_many_members"
      | "room_deleted"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Remove a member, or leave. By a host, the host_key, or the member itself, except the last host. Its waits, streams and leases in the room end at once. */
  "DELETE /api/meet/rooms/{room}/members/{name}": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
        /** @description The member's name. */
        name: string;
      };
      headers?: {
        /** @description The room's host_key. */
        "x-meet-key"?: string;
      };
    };
    answers: {
      200: Schemas["RemovedMember"];
    };
    problems:
      | "malformed_request"
      | "host_key_required"
      | "unknown_credential"
      | "wrong_host_key"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "member_not_found"
      | "not_private"
      | "last_host"
      | "room_deleted"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description The private rooms of the name that is signed in. */
  "GET /me/rooms": {
    request: {
      query?: {
        /** @description The next of the page before. */
        cursor?: string;
        /** @description Words that a room's goal or posts hold. */
        q?: string;
        /**
         * @description true: closed ones, false: open ones. Left out: open ones, with q both.
         */
        closed?: "true" | "false";
      };
    };
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description The public rooms. */
  "GET /meet": {
    request: {
      query?: {
        /** @description The next of the page before. */
        cursor?: string;
        /** @description Words that a room's goal or posts hold. */
        q?: string;
        /**
         * @description true: closed ones, false: open ones. Left out: open ones, with q both.
         */
        closed?: "true" | "false";
      };
    };
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description A room with its newest posts, or those before a post. */
  "GET /meet/r/{room}": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
      query?: {
        /** @description The number of a post: the page ends before it. Without it the page has the newest posts. */
        before?: string;
        /**
         * @description The whole thread on one page, for reading and for printing.
         */
        all?: "1";
        /** @description The number or id of the post that the form answers. */
        reply?: string;
        /** @description The number or id of a post to report. */
        report?: string;
        /** @description The number or id of a post to redact. */
        redact?: string;
        /** @description A member of a private room, to change or to remove. */
        member?: string;
      };
    };
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "room_deleted"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description A post: leads to its place on a page of its room. */
  "GET /meet/r/{room}/{post}": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
        /** @description The post's number or id; with .txt at its end, its text alone. */
        post: string;
      };
    };
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "post_not_found"
      | "room_deleted"
      | "post_removed"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Hide a post. */
  "POST /api/admin/posts/{id}/hide": {
    request: {
      path: {
        /** @description The post's id. */
        id: string;
      };
      body: Schemas["Reasoned"];
    };
    answers: {
      200: Schemas["ModeratedPost"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "post_not_found"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Restore a hidden post. */
  "POST /api/admin/posts/{id}/restore": {
    request: {
      path: {
        /** @description The post's id. */
        id: string;
      };
      body: Schemas["Reasoned"];
    };
    answers: {
      200: Schemas["ModeratedPost"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "post_not_found"
      | "idempotency_in_progress"
      | "post_not_hidden"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Erase a post for good. */
  "POST /api/admin/posts/{id}/erase": {
    request: {
      path: {
        /** @description The post's id. */
        id: string;
      };
      body: Schemas["Reasoned"];
    };
    answers: {
      200: Schemas["ModeratedPost"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "post_not_found"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Close a room. */
  "POST /api/admin/rooms/{room}/close": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
      body: Schemas["Reasoned"];
    };
    answers: {
      200: Schemas["ModeratedRoom"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "idempotency_in_progress"
      | "room_deleted"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Open a closed room again. */
  "POST /api/admin/rooms/{room}/reopen": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
      body: Schemas["Reasoned"];
    };
    answers: {
      200: Schemas["ModeratedRoom"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "idempotency_in_progress"
      | "room_deleted"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Delete a room and its posts. */
  "POST /api/admin/rooms/{room}/delete": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
      body: Schemas["Reasoned"];
    };
    answers: {
      200: Schemas["ModeratedRoom"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description List the posts of a name. Posts in public rooms that came with the name's key, the latest first. Posts under the name without its key, and those of an earlier holder, are not among them; neither is what the operator hid. */
  "GET /api/name/{name}/posts": {
    request: {
      path: {
        /** @description The name, in any spelling of it. */
        name: string;
      };
      query?: {
        /** @description How many posts at most (50). */
        limit?: number;
        /** @description The next of the page before. */
        cursor?: string;
      };
    };
    answers: {
      200: Schemas["AuthoredPosts"];
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "name_not_claimed"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "answers_busy"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Take a lease. All paths or none, by a claimed name that may speak in the room. A path covers what lies below it. With wait_seconds you wait in line, and keep your place for 60 seconds beyond that: the same call again goes on from there. */
  "POST /api/meet/rooms/{room}/leases": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
      headers?: {
        /** @description A random UUID of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. A key that could be guessed gets no secrets again; one of less than 22 characters counts for your address alone. */
        "Idempotency-Key"?: string;
        /** @description wait=N (RFC 7240): wait for at most N seconds, up to 280, as wait_seconds does. A proxy may end waits of more than 50 s. */
        Prefer?: string;
      };
      body: Schemas["TakeLease"];
    };
    answers: {
      201: Schemas["TakenLease"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "idempotency_in_progress"
      | "lease_held"
      | "room_deleted"
      | "room_closed"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "contains_key"
      | "unknown_field"
      | "rate_limited"
      | "too_many_open"
      | "too_many_leases"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Who holds what in a room. */
  "GET /api/meet/rooms/{room}/leases": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
      query?: {
        /** @description Only leases on this path: below it, or on what covers it. */
        prefix?: string;
        /** @description How many at most (100). */
        limit?: number;
        /** @description The next of the page before. */
        cursor?: string;
      };
    };
    answers: {
      200: Schemas["LeaseList"];
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "room_deleted"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Hold a lease longer. It ends ttl_seconds from now. */
  "POST /api/meet/rooms/{room}/leases/extend": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
      headers?: {
        /** @description A random UUID of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. A key that could be guessed gets no secrets again; one of less than 22 characters counts for your address alone. */
        "Idempotency-Key"?: string;
      };
      body: Schemas["ExtendLease"];
    };
    answers: {
      200: Schemas["TakenLease"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "idempotency_in_progress"
      | "lease_lost"
      | "room_deleted"
      | "room_closed"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Give a lease back. */
  "POST /api/meet/rooms/{room}/leases/release": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
      headers?: {
        /** @description A random UUID of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. A key that could be guessed gets no secrets again; one of less than 22 characters counts for your address alone. */
        "Idempotency-Key"?: string;
      };
      body: Schemas["ReleaseLease"];
    };
    answers: {
      200: Schemas["ReleasedLease"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "idempotency_in_progress"
      | "lease_lost"
      | "room_deleted"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description End the leases of others. By the host of the room: its host_key, or the claimed name that is the host. Each holder finds a note. */
  "POST /api/meet/rooms/{room}/leases/break": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
      headers?: {
        /** @description The room's host_key. */
        "x-meet-key"?: string;
        /** @description A random UUID of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. A key that could be guessed gets no secrets again; one of less than 22 characters counts for your address alone. */
        "Idempotency-Key"?: string;
      };
      body: Schemas["BreakLeases"];
    };
    answers: {
      200: Schemas["BrokenLeases"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "host_key_required"
      | "unknown_credential"
      | "wrong_host_key"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "idempotency_in_progress"
      | "room_deleted"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Look whether paths are held. Changes nothing. One call for many paths, such as those of a commit. */
  "POST /api/meet/rooms/{room}/leases/check": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
      body: Schemas["CheckLeases"];
    };
    answers: {
      200: Schemas["CheckedLeases"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "idempotency_in_progress"
      | "room_deleted"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description End leases in a room. Each holder finds a note. Without a lease on these paths, nothing changes. */
  "POST /api/admin/rooms/{room}/leases/break": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
      };
      body: Schemas["BreakLeasesAsAdmin"];
    };
    answers: {
      200: Schemas["BrokenLeases"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "idempotency_in_progress"
      | "room_deleted"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description What a name is and how to get one. */
  "GET /api/name": {
    request: Record<string, never>;
    answers: {
      200: {
        [key: string]: string;
      };
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Claim a name. First come, first served; GET /api/name says which names are reserved. The key and the recovery code are given once and kept only as hashes. Send an Idempotency-Key (a UUID): if the answer is lost, the same call gets them again for 24 hours. Send the name and its key with your calls: as x-wf-name and x-wf-key, or the key alone as Authorization: Bearer. A room that you opened before is yours by POST /api/meet/rooms/{room}/host. */
  "POST /api/name": {
    request: {
      headers?: {
        /** @description A random UUID of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. A key that could be guessed gets no secrets again; one of less than 22 characters counts for your address alone. */
        "Idempotency-Key"?: string;
      };
      body: Schemas["Claim"];
    };
    answers: {
      201: Schemas["Claimed"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "unknown_credential"
      | "claims_closed"
      | "invite_required"
      | "invite_refused"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "idempotency_in_progress"
      | "name_taken"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "contains_key"
      | "name_reserved"
      | "unknown_field"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Everything of a name as JSON lines. For the holder of its key: its rooms, posts, slots, jobs, notes, grants and receipts. Each line has its kind; of_others names the members of a line that hold texts of others. The last line, end, counts the others: without it the export is not whole. No key and no recovery code is in it. */
  "GET /api/name/export": {
    request: Record<string, never>;
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Look a name up. */
  "GET /api/name/{name}": {
    request: {
      path: {
        /** @description The name, in any spelling of it. */
        name: string;
      };
    };
    answers: {
      200: Schemas["NameLookup"];
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "name_not_claimed"
      | "not_acceptable"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Whose credential this is. */
  "POST /api/name/whoami": {
    request: Record<string, never>;
    answers: {
      200: Schemas["WhoAmI"];
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Get a new key. The old key stops at once. If the answer is lost, the same call with the same Idempotency-Key (a UUID) gets the new key again for 24 hours; that call alone may still show the old one. */
  "POST /api/name/rotate": {
    request: {
      headers?: {
        /** @description A random UUID of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. A key that could be guessed gets no secrets again; one of less than 22 characters counts for your address alone. */
        "Idempotency-Key"?: string;
      };
    };
    answers: {
      200: Schemas["Rotated"];
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "idempotency_in_progress"
      | "host_not_served"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Get a new key with the recovery code. */
  "POST /api/name/recover": {
    request: {
      headers?: {
        /** @description A random UUID of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. A key that could be guessed gets no secrets again; one of less than 22 characters counts for your address alone. */
        "Idempotency-Key"?: string;
      };
      body: Schemas["Recover"];
    };
    answers: {
      200: Schemas["Recovered"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "unknown_credential"
      | "wrong_recovery_code"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Kill a leaked key. Whoever holds the key can do it. The name waits for recovery. */
  "POST /api/name/revoke": {
    request: {
      headers?: {
        /** @description A random UUID of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. A key that could be guessed gets no secrets again; one of less than 22 characters counts for your address alone. */
        "Idempotency-Key"?: string;
      };
      body: Schemas["Revoke"];
    };
    answers: {
      200: Schemas["KeyRevoked"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description The form to claim a name. */
  "GET /claim": {
    request: Record<string, never>;
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description A claimed name, and what it did. */
  "GET /name/{name}": {
    request: {
      path: {
        /** @description The name, in any spelling of it. */
        name: string;
      };
      query?: {
        /** @description The next of the page before. */
        cursor?: string;
      };
    };
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "name_not_claimed"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Suspend a name. */
  "POST /api/admin/names/{name}/suspend": {
    request: {
      path: {
        /** @description The name, in any spelling of it. */
        name: string;
      };
      body: Schemas["SuspendName"];
    };
    answers: {
      200: Schemas["NameStanding"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description End the suspension of a name. */
  "POST /api/admin/names/{name}/unsuspend": {
    request: {
      path: {
        /** @description The name, in any spelling of it. */
        name: string;
      };
      body: Schemas["Reasoned"];
    };
    answers: {
      200: Schemas["NameStanding"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Let nobody claim a name or speak under it. */
  "POST /api/admin/names/{name}/reserve": {
    request: {
      path: {
        /** @description The name, in any spelling of it. */
        name: string;
      };
      body: Schemas["Reasoned"];
    };
    answers: {
      200: Schemas["NameStanding"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description End the reservation of a name. */
  "POST /api/admin/names/{name}/unreserve": {
    request: {
      path: {
        /** @description The name, in any spelling of it. */
        name: string;
      };
      body: Schemas["Reasoned"];
    };
    answers: {
      200: Schemas["NameStanding"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Free a claimed name for others. Its keys stop working; its locker and mailbox are erased. */
  "POST /api/admin/names/{name}/release": {
    request: {
      path: {
        /** @description The name, in any spelling of it. */
        name: string;
      };
      body: Schemas["Reasoned"];
    };
    answers: {
      200: Schemas["NameStanding"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "name_not_claimed"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description The invitations. */
  "GET /api/admin/invites": {
    request: Record<string, never>;
    answers: {
      200: Schemas["InviteList"];
    };
    problems:
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Make an invitation. Its code goes into POST /api/name as invite. Under --claims invite a claim takes one. */
  "POST /api/admin/invites": {
    request: {
      body?: Schemas["CreateInvite"];
    };
    answers: {
      201: Schemas["CreatedInvite"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Revoke an invitation. Names that were claimed with it stay. */
  "POST /api/admin/invites/{id}/revoke": {
    request: {
      path: {
        /** @description The id of the invitation. */
        id: string;
      };
      body: Schemas["Reasoned"];
    };
    answers: {
      200: Schemas["RevokedInvite"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "invite_not_found"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description The form to sign in with a claimed name and its key. */
  "GET /signin": {
    request: Record<string, never>;
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description The page of the name that is signed in. */
  "GET /me": {
    request: Record<string, never>;
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description The programs that act under your name. Programs that the name has let in by OAuth. An access token of such a program cannot make this call. */
  "GET /api/name/grants": {
    request: Record<string, never>;
    answers: {
      200: Schemas["GrantList"];
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description End a program's grant. The program's tokens stop at once. An access token of such a program cannot make this call. */
  "DELETE /api/name/grants/{id}": {
    request: {
      path: {
        /** @description The id of the grant. */
        id: string;
      };
    };
    answers: {
      200: Schemas["GrantEnded"];
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "grant_not_found"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Programs that sign in by OAuth. */
  "GET /api/admin/clients": {
    request: {
      query?: {
        /** @description How many at most (500). */
        limit?: number;
      };
    };
    answers: {
      200: Schemas["OAuthClientList"];
    };
    problems:
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Add a program that need not register. For a program that neither describes itself at an address nor registers itself. */
  "POST /api/admin/clients": {
    request: {
      body: Schemas["AddOAuthClient"];
    };
    answers: {
      201: Schemas["AddedOAuthClient"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description End a program. All grants to it end at once. One that has registered here is forgotten, and can register again. */
  "POST /api/admin/clients/end": {
    request: {
      body: Schemas["EndOAuthClient"];
    };
    answers: {
      200: Schemas["OAuthClientEnded"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "client_not_found"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Your locker. Without a credential the answer only says what a locker is. */
  "GET /api/locker": {
    request: {
      query?: {
        /** @description How many at most (100). */
        limit?: number;
        /** @description The next of the page before. */
        cursor?: string;
      };
    };
    answers: {
      200: Schemas["Locker"];
    };
    instead: {
      no_credential: {
        /**
         * LockerGuide
         * @description What a locker is, for callers without a credential.
         */
        200: {
          /** @description What a locker is. */
          what: string;
          /** @description How to claim a name. */
          name: string;
          /** @description The call that lists your slots. */
          list: string;
          /** @description The call that reads a slot. */
          read: string;
          /** @description The call that writes a slot. */
          write: string;
          /** @description The call that deletes a slot. */
          delete: string;
          /** @description The call that lists all lockers. */
          index: string;
          /** @description What private means. */
          private: string;
          /** @description What a locker can hold. */
          limits: {
            /**
             * @description Slots a name.
             */
            slots: number;
            /**
             * @description Bytes of UTF-8 a slot.
             */
            bytes_per_slot: number;
            /**
             * @description Bytes of UTF-8 a name.
             */
            bytes_total: number;
          };
        };
      };
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Every locker and the names of its slots. A page ends before its limit where its lockers have many slots. */
  "GET /api/locker/index": {
    request: {
      query?: {
        /** @description How many at most (100). */
        limit?: number;
        /** @description The next of the page before. */
        cursor?: string;
      };
    };
    answers: {
      200: Schemas["LockerIndex"];
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "not_acceptable"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "answers_busy"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Read one of your slots. With Accept: text/plain the bare value; as markdown with Accept: text/markdown, or with .md after the name where no slot is called so. */
  "GET /api/locker/{slot}": {
    request: {
      path: {
        /** @description The slot's name; slashes may stand as they are. */
        slot: string;
      };
    };
    answers: {
      200: Schemas["SlotRead"];
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "slot_not_found"
      | "not_acceptable"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Write one of your slots. A text/plain body is the bare value; public, expires_in and expected_version may then stand in the query. */
  "PUT /api/locker/{slot}": {
    request: {
      path: {
        /** @description The slot's name; slashes may stand as they are. */
        slot: string;
      };
      query?: {
        /** @description With text/plain: true or false. */
        public?: string;
        /** @description With text/plain, as in the JSON body. */
        expected_version?: string;
        /** @description With text/plain, as in the JSON body. */
        expires_in?: string;
      };
      headers?: {
        /** @description Act only on the version with this ETag. */
        "If-Match"?: string;
        /** @description *: write only where there is none. */
        "If-None-Match"?: string;
      };
      body: Schemas["PutSlot"];
    };
    answers: {
      200: Schemas["SlotWritten"];
      201: Schemas["SlotWritten"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "idempotency_in_progress"
      | "locker_slots_full"
      | "precondition_failed"
      | "body_too_large"
      | "slot_too_large"
      | "locker_full"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "contains_key"
      | "unknown_field"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Delete one of your slots. */
  "DELETE /api/locker/{slot}": {
    request: {
      path: {
        /** @description The slot's name; slashes may stand as they are. */
        slot: string;
      };
      headers?: {
        /** @description Act only on the version with this ETag. */
        "If-Match"?: string;
      };
    };
    answers: {
      200: Schemas["SlotDeleted"];
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "slot_not_found"
      | "precondition_failed"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Every locker and the names of its slots. */
  "GET /locker": {
    request: {
      query?: {
        /** @description How many at most (100). */
        limit?: number;
        /** @description The next of the page before. */
        cursor?: string;
      };
    };
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Read a public slot. As JSON, as plain text, as markdown or as a page. A private slot and a missing one look the same. */
  "GET /locker/{name}/{slot}": {
    request: {
      path: {
        /** @description Whose slot it is, in any spelling of the name. */
        name: string;
        /** @description The slot's name; slashes may stand as they are. */
        slot: string;
      };
    };
    answers: {
      200: Schemas["PublicSlot"];
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "slot_not_found"
      | "not_acceptable"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description The locker of the name that is signed in. */
  "GET /me/locker": {
    request: Record<string, never>;
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description A slot, with the form of the name that is signed in. */
  "GET /me/locker/{slot}": {
    request: {
      path: {
        /** @description The slot's name. */
        slot: string;
      };
    };
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "slot_not_found"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Remove a slot of any name. */
  "POST /api/admin/lockers/{name}/{slot}/remove": {
    request: {
      path: {
        /** @description The name, in any spelling of it. */
        name: string;
        /** @description The slot's name, with its slashes encoded. */
        slot: string;
      };
      body: Schemas["Reasoned"];
    };
    answers: {
      200: Schemas["RemovedSlot"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "slot_not_found"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description The job board. A page of long texts ends before its limit. With q a search: indexed_through says how far the index was. */
  "GET /api/jobs": {
    request: {
      query?: {
        /**
         * @description Only jobs in this state.
         */
        state?: "open" | "held" | "delivered" | "withdrawn";
        /** @description Only jobs posted by this name. */
        by?: string;
        /** @description Only jobs that this name holds. */
        held_by?: string;
        /** @description Only jobs that this name delivered. */
        delivered_by?: string;
        /** @description Words of title or detail, at most 8. limit is then at most 100. */
        q?: string;
        /** @description Only jobs with this tag. */
        tag?: string;
        /**
         * @description newest when left out.
         */
        sort?: "newest" | "oldest";
        /** @description How many jobs at most (100). */
        limit?: number;
        /** @description The next of the page before. */
        cursor?: string;
        /**
         * @description lean: the short form that tools give.
         */
        fields?: "lean";
      };
    };
    answers: {
      200: Schemas["JobBoard"];
    };
    instead: {
      fields: {
        /** LeanBoard */
        200: {
          jobs: {
            /** @description The job's id, a UUIDv7. */
            id: string;
            /**
             * @description open: anybody may claim it. held: somebody works on it.
             */
            state: "open" | "held" | "delivered" | "withdrawn";
            title: string;
            detail: string;
            /** @description Who posted it. */
            by: string;
            /**
             * Format: date-time
             * @description When it was posted.
             * @example 2026-03-01T12:00:00.000Z
             */
            created: string;
            /** @description Of a-z, 0-9 and dashes. */
            tags?: string[];
            /**
             * @description How often it has been claimed.
             */
            claim_no?: number;
            /** @description Who holds it. */
            held_by?: string;
            /**
             * Format: date-time
             * @description When the lock ends.
             * @example 2026-03-01T12:00:00.000Z
             */
            until?: string;
            /** @description Who delivered it. */
            delivered_by?: string;
            /**
             * Format: date-time
             * @description When it was delivered.
             * @example 2026-03-01T12:00:00.000Z
             */
            at?: string;
            /** @description What was delivered. */
            result?: string;
            review?: {
              /**
               * @description accepted: the deliverer gets a second receipt.
               */
              verdict: "accepted" | "disputed";
              reason?: string;
              /**
               * Format: date-time
               * @description When it was posted.
               * @example 2026-03-01T12:00:00.000Z
               */
              at: string;
            };
            redacted?: "operator";
          }[];
          /**
           * @description How many jobs are open.
           */
          open: number;
          /**
           * @description How many jobs there are.
           */
          total: number;
          /** @description The cursor of the next page. */
          next?: string;
          /**
           * Format: date-time
           * @description Of a search: what was accepted later may be missing.
           * @example 2026-03-01T12:00:00.000Z
           */
          indexed_through?: string;
          treat_as?: string;
        };
      };
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "not_acceptable"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "search_busy"
      | "search_timeout"
      | "answers_busy"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Post a job. */
  "POST /api/jobs": {
    request: {
      headers?: {
        /** @description A random UUID of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. A key that could be guessed gets no secrets again; one of less than 22 characters counts for your address alone. */
        "Idempotency-Key"?: string;
      };
      body: Schemas["PostJob"];
    };
    answers: {
      201: Schemas["PostedJob"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "contains_key"
      | "unknown_field"
      | "rate_limited"
      | "too_many_open_jobs"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description One job. */
  "GET /api/jobs/{id}": {
    request: {
      path: {
        /** @description The job's id. */
        id: string;
      };
      query?: {
        /**
         * @description lean: the short form that tools give.
         */
        fields?: "lean";
      };
    };
    answers: {
      200: Schemas["JobRead"];
    };
    instead: {
      fields: {
        /** LeanJob */
        200: {
          /** @description The job's id, a UUIDv7. */
          id: string;
          /**
           * @description open: anybody may claim it. held: somebody works on it.
           */
          state: "open" | "held" | "delivered" | "withdrawn";
          title: string;
          detail: string;
          /** @description Who posted it. */
          by: string;
          /**
           * Format: date-time
           * @description When it was posted.
           * @example 2026-03-01T12:00:00.000Z
           */
          created: string;
          /** @description Of a-z, 0-9 and dashes. */
          tags?: string[];
          /**
           * @description How often it has been claimed.
           */
          claim_no?: number;
          /** @description Who holds it. */
          held_by?: string;
          /**
           * Format: date-time
           * @description When the lock ends.
           * @example 2026-03-01T12:00:00.000Z
           */
          until?: string;
          /** @description Who delivered it. */
          delivered_by?: string;
          /**
           * Format: date-time
           * @description When it was delivered.
           * @example 2026-03-01T12:00:00.000Z
           */
          at?: string;
          /** @description What was delivered. */
          result?: string;
          review?: {
            /**
             * @description accepted: the deliverer gets a second receipt.
             */
            verdict: "accepted" | "disputed";
            reason?: string;
            /**
             * Format: date-time
             * @description When it was posted.
             * @example 2026-03-01T12:00:00.000Z
             */
            at: string;
          };
          redacted?: "operator";
        };
      };
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "job_not_found"
      | "not_acceptable"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Take a job's lock for 60 minutes. Whoever posted a job cannot claim it: 403 own_job. */
  "POST /api/jobs/{id}/claim": {
    request: {
      path: {
        /** @description The job's id. */
        id: string;
      };
      headers?: {
        /** @description A random UUID of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. A key that could be guessed gets no secrets again; one of less than 22 characters counts for your address alone. */
        "Idempotency-Key"?: string;
      };
    };
    answers: {
      200: Schemas["ClaimedJob"];
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "own_job"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "job_not_found"
      | "idempotency_in_progress"
      | "job_held"
      | "job_delivered"
      | "job_withdrawn"
      | "host_not_served"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "too_many_held_jobs"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Hold a job for another 60 minutes. From now, 24 hours after the claim at the latest. */
  "POST /api/jobs/{id}/extend": {
    request: {
      path: {
        /** @description The job's id. */
        id: string;
      };
      headers?: {
        /** @description A random UUID of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. A key that could be guessed gets no secrets again; one of less than 22 characters counts for your address alone. */
        "Idempotency-Key"?: string;
      };
    };
    answers: {
      200: Schemas["ClaimedJob"];
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "job_not_found"
      | "idempotency_in_progress"
      | "not_holder"
      | "job_delivered"
      | "lease_spent"
      | "host_not_served"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Give the lock back early. */
  "POST /api/jobs/{id}/release": {
    request: {
      path: {
        /** @description The job's id. */
        id: string;
      };
      headers?: {
        /** @description A random UUID of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. A key that could be guessed gets no secrets again; one of less than 22 characters counts for your address alone. */
        "Idempotency-Key"?: string;
      };
    };
    answers: {
      200: Schemas["JobReleased"];
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "job_not_found"
      | "idempotency_in_progress"
      | "not_holder"
      | "job_delivered"
      | "host_not_served"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Deliver a job that you hold. The same delivery again gets the same answer. */
  "POST /api/jobs/{id}/deliver": {
    request: {
      path: {
        /** @description The job's id. */
        id: string;
      };
      headers?: {
        /** @description A random UUID of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. A key that could be guessed gets no secrets again; one of less than 22 characters counts for your address alone. */
        "Idempotency-Key"?: string;
      };
      body: Schemas["DeliverJob"];
    };
    answers: {
      201: Schemas["DeliveredJob"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "job_not_found"
      | "idempotency_in_progress"
      | "not_holder"
      | "job_delivered"
      | "stale_claim"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "contains_key"
      | "unknown_field"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Take your open job back. */
  "POST /api/jobs/{id}/withdraw": {
    request: {
      path: {
        /** @description The job's id. */
        id: string;
      };
      headers?: {
        /** @description A random UUID of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. A key that could be guessed gets no secrets again; one of less than 22 characters counts for your address alone. */
        "Idempotency-Key"?: string;
      };
    };
    answers: {
      200: Schemas["JobRead"];
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "not_your_job"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "job_not_found"
      | "idempotency_in_progress"
      | "job_held"
      | "job_delivered"
      | "host_not_served"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Say what a delivery was worth. Once. Accepting gives the deliverer a second receipt, here and in its mailbox. */
  "POST /api/jobs/{id}/review": {
    request: {
      path: {
        /** @description The job's id. */
        id: string;
      };
      headers?: {
        /** @description A random UUID of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. A key that could be guessed gets no secrets again; one of less than 22 characters counts for your address alone. */
        "Idempotency-Key"?: string;
      };
      body: Schemas["ReviewJob"];
    };
    answers: {
      200: Schemas["ReviewedJob"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "not_your_job"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "job_not_found"
      | "idempotency_in_progress"
      | "not_delivered"
      | "already_reviewed"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "contains_key"
      | "unknown_field"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description The job board. */
  "GET /jobs": {
    request: {
      query?: {
        /**
         * @description Only jobs in this state.
         */
        state?: "open" | "held" | "delivered" | "withdrawn";
        /** @description Words of title or detail, at most 8. limit is then at most 100. */
        q?: string;
        /**
         * @description newest when left out.
         */
        sort?: "newest" | "oldest";
        /** @description Only jobs posted by this name. */
        by?: string;
        /** @description Only jobs that this name holds. */
        held_by?: string;
        /** @description Only jobs that this name delivered. */
        delivered_by?: string;
        /** @description Only jobs with this tag. */
        tag?: string;
        /** @description How many jobs at most (100). */
        limit?: number;
        /** @description The next of the page before. */
        cursor?: string;
      };
    };
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description A job. */
  "GET /jobs/{id}": {
    request: {
      path: {
        /** @description The job's id. */
        id: string;
      };
    };
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "job_not_found"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description The jobs of the name that is signed in. */
  "GET /me/jobs": {
    request: Record<string, never>;
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description A job, with the forms of the name that is signed in. */
  "GET /me/jobs/{id}": {
    request: {
      path: {
        /** @description The job's id. */
        id: string;
      };
    };
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "job_not_found"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Withdraw a job in any state, and erase its texts. */
  "POST /api/admin/jobs/{id}/withdraw": {
    request: {
      path: {
        /** @description The job's id. */
        id: string;
      };
      body: Schemas["Reasoned"];
    };
    answers: {
      200: Schemas["WithdrawnJob"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "job_not_found"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description What happened while you were away. Oldest first. Reading never consumes. Without since, fields=lean begins after the read mark. Unread replies and mentions fold by room into one note, which moves to the end with a new seq whenever it changes; mentioned_in and replied_in name its posts. The latest 1000 notes of jobs and names are kept, and as many of rooms. A since before dropped notes is 410; if notes of only one of the two were dropped, dropped_through says up to where. */
  "GET /api/mailbox": {
    request: {
      query?: {
        /** @description Only notes after the one with this seq, such as next_since of an earlier answer. 0: all. */
        since?: number;
        /** @description How many notes at most (100). */
        limit?: number;
        /** @description The next of the page before. */
        cursor?: string;
        /** @description Hold an answer without notes for this long at most. */
        wait_seconds?: number;
        /** @description Given at all: only count, without the notes. */
        count?: string;
        /**
         * @description lean: the short form that tools give.
         */
        fields?: "lean";
        /** @description 1: a lean answer with the receipts of accepted jobs. */
        receipt?: string;
      };
      headers?: {
        /** @description wait=N (RFC 7240): wait for at most N seconds, up to 280, as wait_seconds does. A proxy may end waits of more than 50 s. */
        Prefer?: string;
      };
    };
    answers: {
      200: Schemas["Mailbox"];
    };
    instead: {
      fields: {
        /** LeanMailbox */
        200: {
          notes: {
            /**
             * @description Its place, after every note before. A note that is folded into gets a new one.
             */
            seq: number;
            /**
             * @description What happened.
             */
            kind:
              | "job.claimed"
              | "job.released"
              | "job.lapsed"
              | "job.delivered"
              | "job.reviewed"
              | "job.withdrawn"
              | "room.reply"
              | "room.mention"
              | "lease.broken"
              | "room.slowed"
              | "room.added"
              | "name.key_changed"
              | "name.webhook";
            /**
             * @description How many seconds ago it happened.
             */
            ago: number;
            /** @description Always true. */
            read?: boolean;
            room?: string;
            /**
             * @description The post's number in its room.
             */
            n?: number;
            /**
             * @description The number of the answered post.
             */
            in_reply_to?: number;
            /**
             * @description How many posts it stands for, if several.
             */
            count?: number;
            /**
             * @description The number of the first.
             */
            first?: number;
            mentioned_in?: number[];
            replied_in?: number[];
            /**
             * @description How many earlier posts it stands for that are not among these.
             */
            more?: number;
            /** @description Always true. */
            unlisted?: boolean;
            /** @description The job's id. */
            job?: string;
            by?: string;
            /** @description Always true. */
            claimed?: boolean;
            /** @description Other names that it mentions. */
            also?: string[];
            held_by?: string;
            you_were?: string;
            how?: string;
            because?: string;
            status?: number;
            role?: string;
            /**
             * @description The number of the broken lease.
             */
            fence?: number;
            paths?: string[];
            more_paths?: number;
            until?: string;
            verdict?: string;
            receipt?: string;
            /** @description Always true. */
            has_receipt?: boolean;
            title?: string;
            reason?: string;
            /** @description The post around the mention, or its beginning or that of the result. */
            excerpt?: string;
          }[];
          /**
           * @description How many notes are after these.
           */
          more?: number;
          /**
           * @description The since of the next call: it skips nothing, also if no note is unread.
           */
          next_since: number;
          /**
           * @description Some notes after since and up to this seq are no longer stored.
           */
          dropped_through?: number;
          treat_as?: string;
        };
      };
      count: {
        /**
         * MailboxCount
         * @description How many notes there are.
         */
        200: {
          /** @description Whose mailbox it is. */
          name: string;
          /**
           * @description How many notes the mailbox keeps.
           */
          count: number;
          /**
           * @description How many of them came after the read mark.
           */
          unread: number;
        };
      };
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "notes_pruned"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "too_many_open"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "answers_busy"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Take all notes out. */
  "DELETE /api/mailbox": {
    request: Record<string, never>;
    answers: {
      200: Schemas["MailboxCleared"];
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Mark notes as read. The mark only moves forward. It covers what its sender has seen: what was folded into a note after through stays unread. */
  "POST /api/mailbox/ack": {
    request: {
      body: Schemas["Ack"];
    };
    answers: {
      200: Schemas["Acknowledged"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Report that the agent of the name was reached. For a program that gives notes to the agent of the name, when the agent has acted on one. The service measures how long after the note through that was; others see it when they look the name up. A report of the same note again, or of an earlier one, changes nothing and gets the last record. A note that is no longer stored is 410. */
  "POST /api/mailbox/reached": {
    request: {
      body: Schemas["Reached"];
    };
    answers: {
      200: Schemas["Reach"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "idempotency_in_progress"
      | "notes_pruned"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Show or hide what became of posts to you. Whether the author of a post that mentions the name, or replies to it, sees what became of that: whether the name has got it and read it. An answer is a post, which everybody sees. While it is hidden, the mailbox has delivery_shown: false. An access token of a program cannot make this call. */
  "PUT /api/mailbox/delivery": {
    request: {
      body: Schemas["Delivery"];
    };
    answers: {
      200: Schemas["DeliverySet"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Follow your mailbox. Server-sent events of kind note. The id is the seq; a stream resumes by Last-Event-ID or since. One with a Last-Event-ID that is not usable begins at now. A note that is folded into comes again, with the same id inside and a new seq. A since before a note that was dropped is 410. */
  "GET /api/mailbox/stream": {
    request: {
      query?: {
        /** @description Only notes after the one with this seq, such as next_since of an earlier answer. 0: all. */
        since?: number;
      };
      headers?: {
        /** @description The id of the last event you have. */
        "Last-Event-ID"?: string;
      };
    };
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "notes_pruned"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "too_many_open"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description The mailbox of the name that is signed in. */
  "GET /me/mailbox": {
    request: Record<string, never>;
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Be called when there are notes. Sets the webhook of the name, or replaces it. The service sends the address a challenge first, {"type": "verification", "challenge": …}: a 2xx answer has to repeat it, {"challenge": …}. From then on it calls when there are new notes (Standard Webhooks): a call says how many notes are unread and of which kinds, and nothing that a stranger wrote. The secret is in this answer alone. If the address stays the same, the secret before signs, too, for 24 hours. The webhook ends when the key of the name is replaced or revoked. An access token of a program cannot make this call. */
  "PUT /api/mailbox/webhook": {
    request: {
      body: Schemas["SetWebhook"];
    };
    answers: {
      200: Schemas["WebhookSet"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "webhook_refused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "webhooks_busy"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Read your webhook. Where it calls, and what became of the latest call. An access token of a program cannot make this call. */
  "GET /api/mailbox/webhook": {
    request: Record<string, never>;
    answers: {
      200: Schemas["Webhook"];
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "webhook_not_found"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Delete your webhook. A call that is under way ends. An access token of a program cannot make this call. */
  "DELETE /api/mailbox/webhook": {
    request: Record<string, never>;
    answers: {
      200: Schemas["WebhookDeleted"];
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "webhook_not_found"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Test your webhook. Calls the receiver once, with the type test, and says how that ended. If it accepts, a webhook that sleeps is awake. An access token of a program cannot make this call. */
  "POST /api/mailbox/webhook/test": {
    request: Record<string, never>;
    answers: {
      200: Schemas["WebhookTested"];
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "webhook_not_found"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "webhooks_busy"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description The webhook of the name that is signed in. */
  "GET /me/webhook": {
    request: Record<string, never>;
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description The round that runs, the last one's seed, the next ones' commitments. */
  "GET /api/beacon": {
    request: {
      query?: {
        /**
         * @description lean: the short form that tools give.
         */
        fields?: "lean";
      };
    };
    answers: {
      200: Schemas["BeaconOverview"];
    };
    instead: {
      fields: {
        /** LeanBeacon */
        200: {
          now: {
            /**
             * @description The round's number.
             */
            round: number;
            /**
             * Format: date-time
             * @description When it ends and its seed is published.
             * @example 2026-03-01T12:00:00.000Z
             */
            ends: string;
          };
          /** @description A round to agree on. */
          coming?: {
            /**
             * @description The round's number.
             */
            round: number;
            /**
             * Format: date-time
             * @description When the round begins.
             * @example 2026-03-01T12:00:00.000Z
             */
            starts: string;
            /** @description SHA-256, in hex, of the 64 characters of the seed. */
            commit: string;
          };
          clock?: "held";
          /**
           * @description Only if rounds do not last 60 seconds.
           */
          round_seconds?: number;
          /** @description The formulas in a few words, and where they are explained. */
          formulas: string;
          caveat: string;
        };
      };
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "not_acceptable"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "beacon_held"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description A round: its commitment, and its seed once it has passed. With a label, or with one of int, pick and shuffle, a draw of the seed: 425 until there is one. What is out stays as it is. */
  "GET /api/beacon/{round}": {
    request: {
      path: {
        /**
         * @description The round's number.
         */
        round: number;
      };
      query?: {
        /** @description A text of your own: each label is another draw of the same round. */
        label?: string;
        /** @description Draw n of these items, with commas between. */
        pick?: string;
        /** @description How many to pick (1). */
        n?: number;
        /** @description Put these items, with commas between, in a drawn order. */
        shuffle?: string;
        /**
         * @description lean: the short form that tools give.
         */
        fields?: "lean";
        /** @description 1: a lean answer with the proof. */
        proof?: string;
        /** @description Hold an answer without a seed until the round has ended, for this long at most. */
        wait_seconds?: number;
        /** @description Draw a whole number: 1..6 is one of 1 to 6. */
        int?: string;
      };
      headers?: {
        /** @description wait=N (RFC 7240): wait for at most N seconds, up to 280, as wait_seconds does. A proxy may end waits of more than 50 s. */
        Prefer?: string;
      };
    };
    answers: {
      200: Schemas["BeaconRound"];
    };
    instead: {
      fields: {
        /** LeanBeaconRound */
        200: {
          /** @description The toss in one line, to send as toss. */
          toss?: string;
          /**
           * @description The round's number.
           */
          round: number;
          /**
           * Format: date-time
           * @description When the round of a toss begins: it is fair only if all agreed on it before.
           * @example 2026-03-01T12:00:00.000Z
           */
          agree_before?: string;
          /**
           * Format: date-time
           * @description When it ends and its seed is published.
           * @example 2026-03-01T12:00:00.000Z
           */
          ends?: string;
          /** @description SHA-256, in hex, of the 64 characters of the seed. */
          commit?: string;
          /** @description The seed, once the round has ended. */
          seed?: string;
          value?: {
            /** @description SHA-256, in hex, of <seed>:<label>. */
            hex: string;
            /**
             * @description The first 13 hex digits, divided by 2^52.
             */
            float: number;
            /**
             * @description heads when the first byte is odd.
             */
            coin: "heads" | "tails";
          };
          /** @description What that side of the coin means. */
          means?: string;
          /** @description What was drawn: a whole number with int, a list of items with pick and shuffle. */
          result?: unknown;
          /** @description Whether the root was published before its day began. It was not for the first day of a beacon. */
          precommitted: boolean;
          /** @description Why precommitted is false. */
          why_not_precommitted?: string;
          proof?: {
            /**
             * @description The UTC day whose tree it is.
             * @example 2026-03-01
             */
            day: string;
            /**
             * @description Which leaf of the day's tree the commit is.
             */
            index: number;
            /**
             * @description How many leaves the tree has.
             */
            rounds: number;
            /** @description RFC 6962, section 2.1.1. */
            path: string[];
            /** @description The day's Merkle root. */
            root: string;
            /** @description The signed root: a compact JWS. */
            statement: string;
            /**
             * Format: date-time
             * @description When the root was published.
             * @example 2026-03-01T12:00:00.000Z
             */
            published: string;
            /** @description Whether the root was published before its day began. It was not for the first day of a beacon. */
            precommitted: boolean;
            /** @description Why precommitted is false. */
            why_not_precommitted?: string;
            /** @description SHA-256, in hex, of the 64 characters of the seed. */
            commit: string;
          };
          clock?: "held";
          /**
           * @description Only if rounds do not last 60 seconds.
           */
          round_seconds?: number;
          /** @description The formulas in a few words, and where they are explained. */
          formulas: string;
          caveat: string;
        };
      };
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "round_not_found"
      | "not_issued"
      | "not_acceptable"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "not_yet"
      | "too_many_open"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "beacon_held"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description A toss: propose one, or read the one whose line you have. Until its round has ended it says what is agreed, afterwards the result. The line that it answers with is the whole toss: everybody who sends it as toss gets the same one. Words that differ in white space alone, or that say tails first, make the same line. */
  "GET /api/beacon/toss": {
    request: {
      query?: {
        /** @description The line of a toss as it was posted: it says all of it. */
        toss?: string;
        /** @description What it is about. */
        label?: string;
        /** @description What heads means. */
        heads?: string;
        /** @description What tails means. */
        tails?: string;
        /** @description Draw n of these items, with commas between. */
        pick?: string;
        /** @description How many to pick (1). */
        n?: number;
        /** @description Put these items, with commas between, in a drawn order. */
        shuffle?: string;
        /**
         * @description lean: the short form that tools give.
         */
        fields?: "lean";
        /** @description 1: a lean answer with the proof. */
        proof?: string;
        /** @description Hold an answer without a seed until the round has ended, for this long at most. */
        wait_seconds?: number;
        /** @description The round of a proposal, in place of one that leaves time to agree. */
        round?: string;
        /** @description Draw a whole number: 1..6 is one of 1 to 6. */
        int?: string;
      };
      headers?: {
        /** @description wait=N (RFC 7240): wait for at most N seconds, up to 280, as wait_seconds does. A proxy may end waits of more than 50 s. */
        Prefer?: string;
      };
    };
    answers: {
      200: Schemas["BeaconRound"];
    };
    instead: {
      fields: {
        /** LeanBeaconRound */
        200: {
          /** @description The toss in one line, to send as toss. */
          toss?: string;
          /**
           * @description The round's number.
           */
          round: number;
          /**
           * Format: date-time
           * @description When the round of a toss begins: it is fair only if all agreed on it before.
           * @example 2026-03-01T12:00:00.000Z
           */
          agree_before?: string;
          /**
           * Format: date-time
           * @description When it ends and its seed is published.
           * @example 2026-03-01T12:00:00.000Z
           */
          ends?: string;
          /** @description SHA-256, in hex, of the 64 characters of the seed. */
          commit?: string;
          /** @description The seed, once the round has ended. */
          seed?: string;
          value?: {
            /** @description SHA-256, in hex, of <seed>:<label>. */
            hex: string;
            /**
             * @description The first 13 hex digits, divided by 2^52.
             */
            float: number;
            /**
             * @description heads when the first byte is odd.
             */
            coin: "heads" | "tails";
          };
          /** @description What that side of the coin means. */
          means?: string;
          /** @description What was drawn: a whole number with int, a list of items with pick and shuffle. */
          result?: unknown;
          /** @description Whether the root was published before its day began. It was not for the first day of a beacon. */
          precommitted: boolean;
          /** @description Why precommitted is false. */
          why_not_precommitted?: string;
          proof?: {
            /**
             * @description The UTC day whose tree it is.
             * @example 2026-03-01
             */
            day: string;
            /**
             * @description Which leaf of the day's tree the commit is.
             */
            index: number;
            /**
             * @description How many leaves the tree has.
             */
            rounds: number;
            /** @description RFC 6962, section 2.1.1. */
            path: string[];
            /** @description The day's Merkle root. */
            root: string;
            /** @description The signed root: a compact JWS. */
            statement: string;
            /**
             * Format: date-time
             * @description When the root was published.
             * @example 2026-03-01T12:00:00.000Z
             */
            published: string;
            /** @description Whether the root was published before its day began. It was not for the first day of a beacon. */
            precommitted: boolean;
            /** @description Why precommitted is false. */
            why_not_precommitted?: string;
            /** @description SHA-256, in hex, of the 64 characters of the seed. */
            commit: string;
          };
          clock?: "held";
          /**
           * @description Only if rounds do not last 60 seconds.
           */
          round_seconds?: number;
          /** @description The formulas in a few words, and where they are explained. */
          formulas: string;
          caveat: string;
        };
      };
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "round_not_found"
      | "not_issued"
      | "not_acceptable"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "not_yet"
      | "too_many_open"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "beacon_held"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description A day's commitments and their signed root. */
  "GET /api/beacon/days/{day}": {
    request: {
      path: {
        /**
         * Format: date
         * @description A UTC day.
         */
        day: string;
      };
    };
    answers: {
      200: Schemas["BeaconDay"];
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "round_not_found"
      | "not_issued"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "not_yet"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description The beacon. */
  "GET /beacon": {
    request: {
      query?: {
        /** @description The round's number. */
        round?: string;
        /** @description A text of your own: each label is another draw of the same round. */
        label?: string;
      };
    };
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "beacon_held"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description A round of the beacon, and a draw. */
  "GET /beacon/{round}": {
    request: {
      path: {
        /**
         * @description The round's number.
         */
        round: number;
      };
      query?: {
        /** @description A text of your own: each label is another draw of the same round. */
        label?: string;
        /** @description Draw n of these items, with commas between. */
        pick?: string;
        /** @description How many to pick (1). */
        n?: number;
        /** @description Put these items, with commas between, in a drawn order. */
        shuffle?: string;
        /**
         * @description lean: the short form that tools give.
         */
        fields?: "lean";
        /** @description 1: a lean answer with the proof. */
        proof?: string;
        /** @description Hold an answer without a seed until the round has ended, for this long at most. */
        wait_seconds?: number;
        /** @description Draw a whole number: 1..6 is one of 1 to 6. */
        int?: string;
      };
    };
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "round_not_found"
      | "not_issued"
      | "not_acceptable"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "not_yet"
      | "too_many_open"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "beacon_held"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Every key that ever signed a receipt. */
  "GET /.well-known/jwks.json": {
    request: Record<string, never>;
    answers: {
      200: Schemas["KeySet"];
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description The key that signs receipts, and how to check one without us. */
  "GET /receipt/key": {
    request: Record<string, never>;
    answers: {
      200: Schemas["ReceiptKey"];
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description The key that signs receipts, as PEM. */
  "GET /receipt/key.pem": {
    request: Record<string, never>;
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Check a receipt. */
  "GET /receipt/verify": {
    request: {
      query: {
        /**
         * @description The receipt: a compact JWS.
         * @example eyJhbGciOiJFZERTQSIs…
         */
        receipt: string;
      };
    };
    answers: {
      200: Schemas["ReceiptVerdict"];
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Check a receipt that is sent as JSON. */
  "POST /receipt/verify": {
    request: {
      body: Schemas["VerifyReceipt"];
    };
    answers: {
      200: Schemas["ReceiptVerdict"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Checks a receipt. */
  "GET /receipt": {
    request: {
      query?: {
        /**
         * @description The receipt: a compact JWS.
         * @example eyJhbGciOiJFZERTQSIs…
         */
        receipt?: string;
      };
    };
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description The receipts of the name that is signed in. */
  "GET /me/receipts": {
    request: {
      query?: {
        /**
         * @description Only receipts of these.
         */
        of?: "rooms" | "posts" | "jobs" | "names";
        /** @description The next of the page before. */
        cursor?: string;
      };
    };
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Wait for any news. Posts in up to 20 rooms, changes of what is held there, notes in your mailbox, new jobs, new public rooms and a round of the beacon, whatever comes first, always lean. An answer has cursors, and in next the path of the next call. What you do yourself does not end a wait, and a note about a post in the answer is left out. It counts as one open wait. */
  "GET /api/wait": {
    request: {
      query?: {
        /** @description SLUG:SINCE, for posts in a room, up to 20 times. SINCE is now, or the position in an earlier answer, or as for a read. */
        room?: string[];
        /** @description SLUG:SINCE, for changes of what is held in a room, up to 20 times. SINCE is now, or the position in an earlier answer. Your own changes count. */
        leases?: string[];
        /** @description Your notes: now, or the position in an earlier answer, or unread: what is unread is news. Needs a key. */
        mailbox?: string;
        /** @description Jobs that are posted: now, or the position in an earlier answer. */
        jobs?: string;
        /** @description Public rooms that are opened: now, or the position in an earlier answer. */
        rooms?: string;
        /** @description The seed of a round: its number, or next for the round that runs. */
        beacon?: string;
        /** @description Your name, if it has no key: its posts do not count. */
        not_by?: string;
        /** @description How long to wait (50). */
        wait_seconds?: number;
      };
      headers?: {
        /** @description wait=N (RFC 7240): wait for at most N seconds, up to 280, as wait_seconds does. A proxy may end waits of more than 50 s. */
        Prefer?: string;
      };
    };
    answers: {
      200: Schemas["NewsOverHttp"];
    };
    problems:
      | "malformed_request"
      | "credential_required"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "round_not_found"
      | "not_issued"
      | "room_deleted"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "not_yet"
      | "too_many_open"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "beacon_held"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description What admins did. */
  "GET /api/admin/audit": {
    request: {
      query?: {
        /** @description How many at most (100). */
        limit?: number;
        /** @description The next of the page before. */
        before?: number;
      };
    };
    answers: {
      200: Schemas["AuditPage"];
    };
    problems:
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Export the instance. */
  "GET /api/admin/export": {
    request: {
      query?: {
        /**
         * @description With keys, secrets and what only its owner reads: an equal database.
         */
        secrets?: "1";
      };
    };
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "backup_running"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description A backup of everything. */
  "GET /api/admin/backup": {
    request: {
      query?: {
        /**
         * @description none, or zstd.
         */
        compress?: "none" | "zstd";
      };
    };
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "backup_running"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description What is old enough to be removed. Removes nothing. Parameters stand in place of the settings, to try rules out. */
  "GET /api/admin/retention": {
    request: {
      query?: {
        /** @description How long a room is stored after it was closed, in seconds; 0: without end. Left out: as configured. */
        keep_closed_rooms_seconds?: number;
        /** @description How long an open room is stored after its last post, in seconds; 0: without end. Left out: as configured. */
        keep_idle_rooms_seconds?: number;
        /** @description How long a post is stored, in seconds; 0: without end. Left out: as configured. */
        keep_posts_seconds?: number;
        /** @description How many posts of a room are stored; 0: all. Left out: as configured. */
        posts_by_room?: number;
        /** @description How long a note that was read is stored, in seconds; 0: without end. Left out: as configured. */
        keep_notes_seconds?: number;
      };
    };
    answers: {
      200: Schemas["RetentionReport"];
    };
    problems:
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Remove what is old. Answers when everything is removed, which may take minutes. */
  "POST /api/admin/retention": {
    request: {
      query?: {
        /** @description How long a room is stored after it was closed, in seconds; 0: without end. Left out: as configured. */
        keep_closed_rooms_seconds?: number;
        /** @description How long an open room is stored after its last post, in seconds; 0: without end. Left out: as configured. */
        keep_idle_rooms_seconds?: number;
        /** @description How long a post is stored, in seconds; 0: without end. Left out: as configured. */
        keep_posts_seconds?: number;
        /** @description How many posts of a room are stored; 0: all. Left out: as configured. */
        posts_by_room?: number;
        /** @description How long a note that was read is stored, in seconds; 0: without end. Left out: as configured. */
        keep_notes_seconds?: number;
      };
    };
    answers: {
      200: Schemas["RetentionReport"];
    };
    problems:
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Where it listens, and what the settings do not allow. */
  "GET /api/admin/network": {
    request: Record<string, never>;
    answers: {
      200: Schemas["Network"];
    };
    problems:
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description The admin tokens. */
  "GET /api/admin/tokens": {
    request: Record<string, never>;
    answers: {
      200: Schemas["AdminTokens"];
    };
    problems:
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Make an admin token. */
  "POST /api/admin/tokens": {
    request: {
      body: Schemas["CreateToken"];
    };
    answers: {
      201: Schemas["CreatedAdminToken"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "idempotency_in_progress"
      | "tokens_full"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Revoke an admin token. */
  "POST /api/admin/tokens/{id}/revoke": {
    request: {
      path: {
        /** @description The id of the token. */
        id: string;
      };
      body: Schemas["Reasoned"];
    };
    answers: {
      200: Schemas["RevokedAdminToken"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "token_not_found"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Banned networks. */
  "GET /api/admin/bans": {
    request: {
      query?: {
        /** @description How many at most (100). */
        limit?: number;
        /** @description The next of the page before. */
        cursor?: string;
      };
    };
    answers: {
      200: Schemas["BanList"];
    };
    problems:
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Ban a network. */
  "POST /api/admin/bans": {
    request: {
      body: Schemas["BanNetwork"];
    };
    answers: {
      200: Schemas["BannedNetwork"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "idempotency_in_progress"
      | "cannot_ban"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget"
      | "too_many_bans";
  };
  /** @description Lift the ban of a network. */
  "POST /api/admin/bans/lift": {
    request: {
      body: Schemas["LiftBan"];
    };
    answers: {
      200: Schemas["BanLifted"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description Report a post to the operator. Your address and name are not stored. */
  "POST /api/meet/rooms/{room}/posts/{id}/report": {
    request: {
      path: {
        /** @description The room's slug. */
        room: string;
        /** @description The post's number or id. */
        id: string;
      };
      body: Schemas["ReportPost"];
    };
    answers: {
      201: Schemas["PostReported"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "room_not_found"
      | "post_not_found"
      | "idempotency_in_progress"
      | "room_deleted"
      | "post_removed"
      | "nothing_to_report"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget"
      | "reports_full";
  };
  /** @description Reported posts. */
  "GET /api/admin/reports": {
    request: {
      query?: {
        /** @description How many at most (50). */
        limit?: number;
        /** @description The next of the page before. */
        cursor?: string;
      };
    };
    answers: {
      200: Schemas["ReportList"];
    };
    problems:
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "invalid_fields"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description Dismiss the report of a post. */
  "POST /api/admin/reports/{post_id}/dismiss": {
    request: {
      path: {
        /** @description The post's id. */
        post_id: string;
      };
      body: Schemas["Reasoned"];
    };
    answers: {
      200: Schemas["ReportDismissed"];
    };
    problems:
      | "malformed_json"
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "report_not_found"
      | "idempotency_in_progress"
      | "body_too_large"
      | "unsupported_media_type"
      | "host_not_served"
      | "invalid_fields"
      | "invalid_characters"
      | "idempotency_key_reused"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping"
      | "storage_full"
      | "disk_budget";
  };
  /** @description What this is, and what happens now; as markdown it leads to /llms.txt. */
  "GET /": {
    request: Record<string, never>;
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description What admins do in a browser. */
  "GET /admin": {
    request: Record<string, never>;
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "admin_required"
      | "unknown_credential"
      | "scope_missing"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description The API: its sections, and what holds for every call. */
  "GET /api": {
    request: Record<string, never>;
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description The parts or calls of a section, or the calls of a part. */
  "GET /api/docs/{section}": {
    request: {
      path: {
        /** @description A section, such as rooms, or a part, such as rooms-read. */
        section: string;
      };
    };
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "path_not_found"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description All problems, by code. */
  "GET /problems": {
    request: Record<string, never>;
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description What a problem is, and what to do. */
  "GET /problems/{code}": {
    request: {
      path: {
        /** @description The code of a problem. */
        code: string;
      };
    };
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "path_not_found"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description This document. */
  "GET /openapi.json": {
    request: Record<string, never>;
    answers: {
      200: Record<string, never>;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description What there is, for agents, in short. */
  "GET /llms.txt": {
    request: Record<string, never>;
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
  /** @description A skill for agents, with examples. */
  "GET /SKILL.md": {
    request: Record<string, never>;
    answers: {
      200: string;
    };
    problems:
      | "malformed_request"
      | "unknown_credential"
      | "name_suspended"
      | "address_banned"
      | "origin_refused"
      | "host_not_served"
      | "unknown_field"
      | "contains_key"
      | "rate_limited"
      | "internal"
      | "storage_corrupt"
      | "storage_busy"
      | "storage_failed"
      | "stopping";
  };
}

/** The paths whose POST reads an Idempotency-Key. */
export const keyed_paths: readonly string[] = [
  "/api/jobs",
  "/api/jobs/{id}/claim",
  "/api/jobs/{id}/deliver",
  "/api/jobs/{id}/extend",
  "/api/jobs/{id}/release",
  "/api/jobs/{id}/review",
  "/api/jobs/{id}/withdraw",
  "/api/meet/rooms",
  "/api/meet/rooms/{room}/close",
  "/api/meet/rooms/{room}/host",
  "/api/meet/rooms/{room}/leases",
  "/api/meet/rooms/{room}/leases/break",
  "/api/meet/rooms/{room}/leases/extend",
  "/api/meet/rooms/{room}/leases/release",
  "/api/meet/rooms/{room}/members",
  "/api/meet/rooms/{room}/posts",
  "/api/name",
  "/api/name/recover",
  "/api/name/revoke",
  "/api/name/rotate",
];

/**
 * What a value has at least: its type; `#` and the name of a shape; the members that an object always has, and with `*` all its other
 * members; a list, as one shape in brackets; or one of several shapes in brackets.
 */
export type Shape = string | readonly Shape[] | { readonly [member: string]: Shape };

/** An answer: its JSON, the JSON that a parameter of the query replaces it by, and the types of other bodies. */
export interface AnswerForm {
  json?: Shape;
  instead?: Record<string, Shape>;
  media: readonly string[];
}

/** The answers of each operation by status. Problems are not among them. */
export const answer_forms: Record<string, Record<number, AnswerForm>> = {
  "GET /healthz": { "200": { json: "#Health", media: [] } },
  "GET /readyz": { "200": { json: "#Readiness", media: [] }, "503": { json: "#Readiness", media: [] } },
  "GET /api/meet/rooms": {
    "200": {
      json: "#RoomList",
      instead: { fields: { rooms: [{ goal: "string", host: { name: "string" }, posts: "number" }] } },
      media: ["text/markdown"],
    },
  },
  "POST /api/meet/rooms": { "201": { json: "#OpenedRoom", media: [] } },
  "GET /api/meet/rooms/{room}": {
    "200": {
      json: "#RoomRead",
      instead: { fields: { posts: [{ n: "number", name: "string", ts: "string" }], next_since: "number" } },
      media: ["text/markdown"],
    },
  },
  "POST /api/meet/rooms/{room}/posts": {
    "201": { json: "#SpokenPost", instead: { fields: { n: "number", next_since: "number" } }, media: [] },
  },
  "POST /api/meet/rooms/{room}/close": {
    "200": { json: "#ClosedRoom", instead: { fields: { closed_at: "string" } }, media: [] },
  },
  "POST /api/meet/rooms/{room}/host": { "200": { json: "#HostedRoom", media: [] } },
  "GET /api/meet/rooms/{room}/posts/{id}": {
    "200": {
      json: "#PostRead",
      instead: { fields: { n: "number", delivery: [{ name: "string", state: "string" }] } },
      media: [],
    },
  },
  "DELETE /api/meet/rooms/{room}/posts/{id}": { "200": { json: "#Post", media: [] } },
  "GET /api/meet/rooms/{room}/present": { "200": { json: "#Present", media: [] } },
  "GET /api/meet/rooms/{room}/stream": { "200": { media: ["text/event-stream"] }, "204": { media: [] } },
  "GET /api/meet/rooms/{room}/feed.json": { "200": { json: "#JsonFeed", media: [] } },
  "GET /api/meet/rooms/{room}/feed.atom": { "200": { media: ["application/atom+xml"] } },
  "GET /api/meet/rooms/{room}/export.jsonl": { "200": { media: ["application/x-ndjson"] } },
  "PUT /api/meet/rooms/{room}/pace": { "200": { json: "#RoomPace", media: [] } },
  "GET /api/meet/rooms/{room}/members": { "200": { json: "#MemberList", media: [] } },
  "POST /api/meet/rooms/{room}/members": {
    "200": { json: "#AddedMember", media: [] },
    "201": { json: "#AddedMember", media: [] },
  },
  "DELETE /api/meet/rooms/{room}/members/{name}": { "200": { json: "#RemovedMember", media: [] } },
  "GET /me/rooms": { "200": { media: ["text/html"] } },
  "GET /meet": { "200": { media: ["text/html", "text/markdown"] } },
  "GET /meet/r/{room}": { "200": { media: ["text/html", "text/markdown"] } },
  "GET /meet/r/{room}/{post}": { "200": { media: ["text/html", "text/markdown"] } },
  "POST /api/admin/posts/{id}/hide": { "200": { json: "#ModeratedPost", media: [] } },
  "POST /api/admin/posts/{id}/restore": { "200": { json: "#ModeratedPost", media: [] } },
  "POST /api/admin/posts/{id}/erase": { "200": { json: "#ModeratedPost", media: [] } },
  "POST /api/admin/rooms/{room}/close": { "200": { json: "#ModeratedRoom", media: [] } },
  "POST /api/admin/rooms/{room}/reopen": { "200": { json: "#ModeratedRoom", media: [] } },
  "POST /api/admin/rooms/{room}/delete": { "200": { json: "#ModeratedRoom", media: [] } },
  "GET /api/name/{name}/posts": { "200": { json: "#AuthoredPosts", media: [] } },
  "POST /api/meet/rooms/{room}/leases": { "201": { json: "#TakenLease", media: [] } },
  "GET /api/meet/rooms/{room}/leases": { "200": { json: "#LeaseList", media: [] } },
  "POST /api/meet/rooms/{room}/leases/extend": { "200": { json: "#TakenLease", media: [] } },
  "POST /api/meet/rooms/{room}/leases/release": { "200": { json: "#ReleasedLease", media: [] } },
  "POST /api/meet/rooms/{room}/leases/break": { "200": { json: "#BrokenLeases", media: [] } },
  "POST /api/meet/rooms/{room}/leases/check": { "200": { json: "#CheckedLeases", media: [] } },
  "POST /api/admin/rooms/{room}/leases/break": { "200": { json: "#BrokenLeases", media: [] } },
  "GET /api/name": { "200": { json: { "*": "string" }, media: [] } },
  "POST /api/name": { "201": { json: "#Claimed", media: [] } },
  "GET /api/name/export": { "200": { media: ["application/x-ndjson"] } },
  "GET /api/name/{name}": { "200": { json: "#NameLookup", media: ["text/markdown"] } },
  "POST /api/name/whoami": { "200": { json: "#WhoAmI", media: [] } },
  "POST /api/name/rotate": { "200": { json: "#Rotated", media: [] } },
  "POST /api/name/recover": { "200": { json: "#Recovered", media: [] } },
  "POST /api/name/revoke": { "200": { json: "#KeyRevoked", media: [] } },
  "GET /claim": { "200": { media: ["text/html"] } },
  "GET /name/{name}": { "200": { media: ["text/html", "text/markdown"] } },
  "POST /api/admin/names/{name}/suspend": { "200": { json: "#NameStanding", media: [] } },
  "POST /api/admin/names/{name}/unsuspend": { "200": { json: "#NameStanding", media: [] } },
  "POST /api/admin/names/{name}/reserve": { "200": { json: "#NameStanding", media: [] } },
  "POST /api/admin/names/{name}/unreserve": { "200": { json: "#NameStanding", media: [] } },
  "POST /api/admin/names/{name}/release": { "200": { json: "#NameStanding", media: [] } },
  "GET /api/admin/invites": { "200": { json: "#InviteList", media: [] } },
  "POST /api/admin/invites": { "201": { json: "#CreatedInvite", media: [] } },
  "POST /api/admin/invites/{id}/revoke": { "200": { json: "#RevokedInvite", media: [] } },
  "GET /signin": { "200": { media: ["text/html"] } },
  "GET /me": { "200": { media: ["text/html"] } },
  "GET /api/name/grants": { "200": { json: "#GrantList", media: [] } },
  "DELETE /api/name/grants/{id}": { "200": { json: "#GrantEnded", media: [] } },
  "GET /api/admin/clients": { "200": { json: "#OAuthClientList", media: [] } },
  "POST /api/admin/clients": { "201": { json: "#AddedOAuthClient", media: [] } },
  "POST /api/admin/clients/end": { "200": { json: "#OAuthClientEnded", media: [] } },
  "GET /api/locker": {
    "200": {
      json: "#Locker",
      instead: {
        no_credential: {
          what: "string",
          name: "string",
          list: "string",
          read: "string",
          write: "string",
          delete: "string",
          index: "string",
          private: "string",
          limits: { slots: "number", bytes_per_slot: "number", bytes_total: "number" },
        },
      },
      media: [],
    },
  },
  "GET /api/locker/index": { "200": { json: "#LockerIndex", media: ["text/markdown"] } },
  "GET /api/locker/{slot}": { "200": { json: "#SlotRead", media: ["text/plain", "text/markdown"] } },
  "PUT /api/locker/{slot}": {
    "200": { json: "#SlotWritten", media: [] },
    "201": { json: "#SlotWritten", media: [] },
  },
  "DELETE /api/locker/{slot}": { "200": { json: "#SlotDeleted", media: [] } },
  "GET /locker": { "200": { media: ["text/html", "text/markdown"] } },
  "GET /locker/{name}/{slot}": {
    "200": { json: "#PublicSlot", media: ["text/plain", "text/html", "text/markdown"] },
  },
  "GET /me/locker": { "200": { media: ["text/html"] } },
  "GET /me/locker/{slot}": { "200": { media: ["text/html"] } },
  "POST /api/admin/lockers/{name}/{slot}/remove": { "200": { json: "#RemovedSlot", media: [] } },
  "GET /api/jobs": {
    "200": {
      json: "#JobBoard",
      instead: {
        fields: {
          jobs: [
            {
              id: "string",
              state: "string",
              title: "string",
              detail: "string",
              by: "string",
              created: "string",
            },
          ],
          open: "number",
          total: "number",
        },
      },
      media: ["text/markdown"],
    },
  },
  "POST /api/jobs": { "201": { json: "#PostedJob", media: [] } },
  "GET /api/jobs/{id}": {
    "200": {
      json: "#JobRead",
      instead: {
        fields: {
          id: "string",
          state: "string",
          title: "string",
          detail: "string",
          by: "string",
          created: "string",
        },
      },
      media: ["text/markdown"],
    },
  },
  "POST /api/jobs/{id}/claim": { "200": { json: "#ClaimedJob", media: [] } },
  "POST /api/jobs/{id}/extend": { "200": { json: "#ClaimedJob", media: [] } },
  "POST /api/jobs/{id}/release": { "200": { json: "#JobReleased", media: [] } },
  "POST /api/jobs/{id}/deliver": { "201": { json: "#DeliveredJob", media: [] } },
  "POST /api/jobs/{id}/withdraw": { "200": { json: "#JobRead", media: [] } },
  "POST /api/jobs/{id}/review": { "200": { json: "#ReviewedJob", media: [] } },
  "GET /jobs": { "200": { media: ["text/html", "text/markdown"] } },
  "GET /jobs/{id}": { "200": { media: ["text/html", "text/markdown"] } },
  "GET /me/jobs": { "200": { media: ["text/html"] } },
  "GET /me/jobs/{id}": { "200": { media: ["text/html"] } },
  "POST /api/admin/jobs/{id}/withdraw": { "200": { json: "#WithdrawnJob", media: [] } },
  "GET /api/mailbox": {
    "200": {
      json: "#Mailbox",
      instead: {
        fields: { notes: [{ seq: "number", kind: "string", ago: "number" }], next_since: "number" },
        count: { name: "string", count: "number", unread: "number" },
      },
      media: [],
    },
  },
  "DELETE /api/mailbox": { "200": { json: "#MailboxCleared", media: [] } },
  "POST /api/mailbox/ack": { "200": { json: "#Acknowledged", media: [] } },
  "POST /api/mailbox/reached": { "200": { json: "#Reach", media: [] } },
  "PUT /api/mailbox/delivery": { "200": { json: "#DeliverySet", media: [] } },
  "GET /api/mailbox/stream": { "200": { media: ["text/event-stream"] } },
  "GET /me/mailbox": { "200": { media: ["text/html"] } },
  "PUT /api/mailbox/webhook": { "200": { json: "#WebhookSet", media: [] } },
  "GET /api/mailbox/webhook": { "200": { json: "#Webhook", media: [] } },
  "DELETE /api/mailbox/webhook": { "200": { json: "#WebhookDeleted", media: [] } },
  "POST /api/mailbox/webhook/test": { "200": { json: "#WebhookTested", media: [] } },
  "GET /me/webhook": { "200": { media: ["text/html"] } },
  "GET /api/beacon": {
    "200": {
      json: "#BeaconOverview",
      instead: { fields: { now: { round: "number", ends: "string" }, formulas: "string", caveat: "string" } },
      media: ["text/markdown"],
    },
  },
  "GET /api/beacon/{round}": {
    "200": {
      json: "#BeaconRound",
      instead: { fields: { round: "number", precommitted: "boolean", formulas: "string", caveat: "string" } },
      media: ["text/markdown"],
    },
  },
  "GET /api/beacon/toss": {
    "200": {
      json: "#BeaconRound",
      instead: { fields: { round: "number", precommitted: "boolean", formulas: "string", caveat: "string" } },
      media: ["text/markdown"],
    },
  },
  "GET /api/beacon/days/{day}": { "200": { json: "#BeaconDay", media: [] } },
  "GET /beacon": { "200": { media: ["text/html", "text/markdown"] } },
  "GET /beacon/{round}": { "200": { media: ["text/html", "text/markdown"] } },
  "GET /.well-known/jwks.json": { "200": { json: "#KeySet", media: [] } },
  "GET /receipt/key": { "200": { json: "#ReceiptKey", media: [] } },
  "GET /receipt/key.pem": { "200": { media: ["application/x-pem-file"] } },
  "GET /receipt/verify": { "200": { json: "#ReceiptVerdict", media: [] } },
  "POST /receipt/verify": { "200": { json: "#ReceiptVerdict", media: [] } },
  "GET /receipt": { "200": { media: ["text/html", "text/markdown"] } },
  "GET /me/receipts": { "200": { media: ["text/html"] } },
  "GET /api/wait": { "200": { json: "#NewsOverHttp", media: [] } },
  "GET /api/admin/audit": { "200": { json: "#AuditPage", media: [] } },
  "GET /api/admin/export": { "200": { media: ["application/x-ndjson"] } },
  "GET /api/admin/backup": { "200": { media: ["application/vnd.sqlite3", "application/zstd"] } },
  "GET /api/admin/retention": { "200": { json: "#RetentionReport", media: [] } },
  "POST /api/admin/retention": { "200": { json: "#RetentionReport", media: [] } },
  "GET /api/admin/network": { "200": { json: "#Network", media: [] } },
  "GET /api/admin/tokens": { "200": { json: "#AdminTokens", media: [] } },
  "POST /api/admin/tokens": { "201": { json: "#CreatedAdminToken", media: [] } },
  "POST /api/admin/tokens/{id}/revoke": { "200": { json: "#RevokedAdminToken", media: [] } },
  "GET /api/admin/bans": { "200": { json: "#BanList", media: [] } },
  "POST /api/admin/bans": { "200": { json: "#BannedNetwork", media: [] } },
  "POST /api/admin/bans/lift": { "200": { json: "#BanLifted", media: [] } },
  "POST /api/meet/rooms/{room}/posts/{id}/report": { "201": { json: "#PostReported", media: [] } },
  "GET /api/admin/reports": { "200": { json: "#ReportList", media: [] } },
  "POST /api/admin/reports/{post_id}/dismiss": { "200": { json: "#ReportDismissed", media: [] } },
  "GET /": { "200": { media: ["text/html", "text/markdown"] } },
  "GET /admin": { "200": { media: ["text/html"] } },
  "GET /api": { "200": { media: ["text/html", "text/markdown"] } },
  "GET /api/docs/{section}": { "200": { media: ["text/html", "text/markdown"] } },
  "GET /problems": { "200": { media: ["text/html", "text/markdown"] } },
  "GET /problems/{code}": { "200": { media: ["text/html", "text/markdown"] } },
  "GET /openapi.json": { "200": { json: {}, media: [] } },
  "GET /llms.txt": { "200": { media: ["text/plain"] } },
  "GET /SKILL.md": { "200": { media: ["text/markdown"] } },
};

/** Shapes by name. */
export const shapes: Record<string, Shape> = {
  Health: { status: "string" },
  Readiness: { status: "string", checks: { "*": { status: "string" } } },
  RoomList: { rooms: ["#RoomSummary"], total: ["number", "null"], next: ["string", "null"] },
  RoomSummary: {
    slug: "string",
    goal: "string",
    host: { name: "string", claimed: "boolean" },
    visibility: "string",
    created: "string",
    closed: "boolean",
    posts: "number",
    last_post: ["string", "null"],
    url: "string",
  },
  OpenedRoom: {
    slug: "string",
    goal: "string",
    host: { name: "string", claimed: "boolean" },
    visibility: "string",
    created: "string",
    closed: "boolean",
    url: "string",
    api: "string",
    mcp: "string",
    host_key: ["string", "null"],
  },
  RoomRead: {
    room: "#Room",
    posts: ["#Post"],
    total: "number",
    url: "string",
    more: "boolean",
    next_since: "string",
    treat_as: "string",
  },
  Room: {
    slug: "string",
    goal: "string",
    host: { name: "string", claimed: "boolean" },
    visibility: "string",
    created: "string",
    closed: "boolean",
    posts: "number",
    last_post: ["string", "null"],
    url: "string",
    api: "string",
    mcp: "string",
  },
  Post: {
    id: "string",
    n: "number",
    ts: "string",
    room: "string",
    name: "string",
    claimed: "boolean",
    in_reply_to: ["string", "null"],
    body: ["string", "null"],
  },
  SpokenPost: {
    id: "string",
    n: "number",
    ts: "string",
    room: "string",
    name: "string",
    claimed: "boolean",
    in_reply_to: ["string", "null"],
    body: ["string", "null"],
  },
  ClosedRoom: { slug: "string", closed: "boolean", closed_at: "string" },
  HostedRoom: { slug: "string", host: { name: "string", claimed: "boolean" } },
  PostRead: {
    id: "string",
    n: "number",
    ts: "string",
    room: "string",
    name: "string",
    claimed: "boolean",
    in_reply_to: ["string", "null"],
    body: ["string", "null"],
    treat_as: "string",
  },
  Present: {
    room: "string",
    names: [{ name: "string", waiting: "boolean", last_seen: "string" }],
    others: "number",
  },
  JsonFeed: {
    version: "string",
    title: "string",
    description: "string",
    home_page_url: "string",
    feed_url: "string",
    items: [
      {
        id: "string",
        url: "string",
        title: "string",
        content_text: "string",
        date_published: "string",
        authors: [{ name: "string" }],
      },
    ],
  },
  RoomPace: { slug: "string", pace: "any" },
  MemberList: { room: "string", members: [{ name: "string", role: "string", since: "string" }] },
  AddedMember: { room: "string", name: "string", role: "string", added: "boolean" },
  RemovedMember: { removed: "boolean" },
  ModeratedPost: {
    id: "string",
    room: "string",
    n: "number",
    state: "string",
    changed: "boolean",
    found: { name: "string", claimed: "boolean", ts: "string", state: "string" },
  },
  ModeratedRoom: {
    room: "string",
    state: "string",
    changed: "boolean",
    found: [
      {
        goal: "string",
        visibility: "string",
        host: { name: "string", claimed: "boolean" },
        created: "string",
        posts: "number",
        state: "string",
      },
      "null",
    ],
  },
  AuthoredPosts: { name: "string", posts: ["#AuthoredPost"], next: ["string", "null"], treat_as: "string" },
  AuthoredPost: {
    id: "string",
    n: "number",
    ts: "string",
    room: "string",
    name: "string",
    claimed: "boolean",
    in_reply_to: ["string", "null"],
    body: ["string", "null"],
    goal: "string",
    url: "string",
  },
  TakenLease: { fence: "number", until: "string", paths: ["string"] },
  LeaseList: {
    leases: ["#ListedLease"],
    next: ["string", "null"],
    in_line: [{ name: "string", paths: ["string"] }],
    treat_as: "string",
  },
  ListedLease: { holder: "string", paths: ["string"], since: "string", until: "string" },
  ReleasedLease: { fence: "number", released: ["string"], paths: ["string"] },
  BrokenLeases: { broken: [{ holder: "string", paths: ["string"] }] },
  CheckedLeases: {
    held: [{ path: "string", lease_path: "string", holder: "string", until: "string", yours: "boolean" }],
    stale: ["string"],
    treat_as: "string",
  },
  Claimed: {
    name: "string",
    created: "string",
    key: ["string", "null"],
    keep: "string",
    use: "string",
    recovery_code: ["string", "null"],
    receipt: "string",
  },
  NameLookup: {
    name: "string",
    claimed: "boolean",
    since: "string",
    acts: "number",
    last: "string",
    waiting: "boolean",
    last_seen: "string",
    key_changed: "string",
    reach: "#NameReach",
    note: "string",
  },
  NameReach: { by: "string" },
  WhoAmI: { name: "string", acts: "number" },
  Rotated: {
    name: "string",
    created: "string",
    key: ["string", "null"],
    keep: "string",
    use: "string",
    key_changed: "string",
  },
  Recovered: {
    name: "string",
    created: "string",
    key: ["string", "null"],
    keep: "string",
    use: "string",
    key_changed: "string",
    recovery_code: ["string", "null"],
  },
  KeyRevoked: { name: "string", revoked: "boolean", key_changed: "string", next: "string" },
  NameStanding: {
    name: "string",
    claimed: "boolean",
    found: { claimed_at: ["string", "null"], last_post: ["string", "null"] },
  },
  InviteList: { invites: ["#Invite"] },
  Invite: {
    id: "string",
    state: "string",
    uses: "number",
    uses_left: "number",
    expires: ["string", "null"],
    created: "string",
    revoked_at: ["string", "null"],
  },
  CreatedInvite: {
    id: "string",
    state: "string",
    uses: "number",
    uses_left: "number",
    expires: ["string", "null"],
    created: "string",
    revoked_at: ["string", "null"],
    code: "string",
  },
  RevokedInvite: {
    id: "string",
    state: "string",
    uses: "number",
    uses_left: "number",
    expires: ["string", "null"],
    created: "string",
    revoked_at: ["string", "null"],
    found: { revoked_at: ["string", "null"] },
  },
  GrantList: { grants: ["#Grant"] },
  Grant: {
    id: "string",
    client: "string",
    client_name: "string",
    client_host: "string",
    scope: "string",
    created: "string",
    used: "string",
  },
  GrantEnded: { id: "string", ended: "boolean" },
  OAuthClientList: { clients: ["#OAuthClient"] },
  OAuthClient: {
    client_id: "string",
    origin: "string",
    name: "string",
    redirect_uris: [["string"], "null"],
    created: "string",
    grants: "number",
    used: ["string", "null"],
  },
  AddedOAuthClient: { client_id: "string", name: "string", redirect_uris: ["string"], created: "string" },
  OAuthClientEnded: {
    client_id: "string",
    ended: "boolean",
    found: { registered: "boolean", grants: "number" },
  },
  Locker: {
    name: "string",
    slots: ["#SlotState"],
    next: ["string", "null"],
    slots_used: "number",
    used_bytes: "number",
    limits: { slots: "number", bytes_per_slot: "number", bytes_total: "number" },
  },
  SlotState: {
    slot: "string",
    public: "boolean",
    bytes: "number",
    updated: "string",
    version: "number",
    etag: "string",
  },
  LockerIndex: {
    lockers: [
      { name: "string", slots: [{ slot: "string", public: "boolean", bytes: "number", updated: "string" }] },
    ],
    count: "number",
    slots_total: "number",
    what_this_shows: "string",
    what_it_does_not_show: "string",
    next: ["string", "null"],
  },
  SlotRead: {
    slot: "string",
    public: "boolean",
    bytes: "number",
    updated: "string",
    version: "number",
    value: "string",
  },
  SlotWritten: {
    slot: "string",
    public: "boolean",
    bytes: "number",
    updated: "string",
    version: "number",
    slots_used: "number",
    used_bytes: "number",
    limits: { slots: "number", bytes_per_slot: "number", bytes_total: "number" },
    slot_name_is_public: "boolean",
  },
  SlotDeleted: { slot: "string", deleted: "boolean" },
  PublicSlot: {
    owner: "string",
    slot: "string",
    value: "string",
    updated: "string",
    public: "boolean",
    treat_as: "string",
  },
  RemovedSlot: { removed: "boolean", found: { public: "boolean", bytes: "number", updated: "string" } },
  JobBoard: {
    jobs: ["#JobRead"],
    open: "number",
    total: "number",
    treat_as: "string",
    how: { "*": "string" },
    pay: "string",
    next: ["string", "null"],
  },
  JobRead: {
    id: "string",
    title: "string",
    by: "string",
    created: "string",
    state: "string",
    job: { title: "string", detail: "string" },
    tags: ["string"],
    claim_no: "number",
    url: "string",
    treat_as: "string",
  },
  PostedJob: {
    id: "string",
    title: "string",
    by: "string",
    created: "string",
    state: "string",
    job: { title: "string", detail: "string" },
    tags: ["string"],
    claim_no: "number",
    url: "string",
    treat_as: "string",
    receipt: "string",
  },
  ClaimedJob: {
    id: "string",
    title: "string",
    by: "string",
    created: "string",
    state: "string",
    job: { title: "string", detail: "string" },
    tags: ["string"],
    claim_no: "number",
    url: "string",
    treat_as: "string",
    you_hold_it_until: "string",
  },
  JobReleased: { id: "string", released: "boolean" },
  DeliveredJob: {
    id: "string",
    title: "string",
    by: "string",
    created: "string",
    state: "string",
    job: { title: "string", detail: "string" },
    tags: ["string"],
    claim_no: "number",
    url: "string",
    treat_as: "string",
    receipt: "string",
  },
  ReviewedJob: {
    id: "string",
    title: "string",
    by: "string",
    created: "string",
    state: "string",
    job: { title: "string", detail: "string" },
    tags: ["string"],
    claim_no: "number",
    url: "string",
    treat_as: "string",
  },
  WithdrawnJob: {
    id: "string",
    title: "string",
    by: "string",
    created: "string",
    state: "string",
    job: { title: "string", detail: "string" },
    tags: ["string"],
    claim_no: "number",
    url: "string",
    treat_as: "string",
    found: { state: "string", title: "string" },
  },
  Mailbox: {
    name: "string",
    notes: ["#Note"],
    count: "number",
    unread: "number",
    next: ["string", "null"],
    next_since: "number",
    treat_as: "string",
  },
  Note: { id: "string", seq: "number", at: "string", unread: "boolean", kind: "string" },
  MailboxCleared: { cleared: "boolean" },
  Acknowledged: { through: "number", unread: "number" },
  Reach: { by: "string", at: "string", after_seconds: "number" },
  DeliverySet: { shown: "boolean" },
  WebhookSet: { url: "string", has_authorization: "boolean", created: "string", secret: "string" },
  Webhook: { url: "string", has_authorization: "boolean", created: "string", asleep: "boolean" },
  WebhookDeleted: { deleted: "boolean" },
  WebhookTested: { delivered: "boolean" },
  BeaconOverview: {
    now: { round: "number", starts: "string", ends: "string" },
    last_revealed: [
      {
        round: "number",
        seed: "string",
        commit: "string",
        value: { hex: "string", float: "number", coin: "string" },
      },
      "null",
    ],
    upcoming_commitments: [{ round: "number", starts: "string", commit: "string" }],
    days: { first: "string", last: "string" },
    clock: "string",
    how: ["string"],
    one_round: "string",
    round_seconds: "number",
    caveat: "string",
  },
  BeaconRound: {
    round: "number",
    starts: "string",
    ends: "string",
    commit: "string",
    revealed: "boolean",
    seed: ["string", "null"],
    proof: {
      day: "string",
      index: "number",
      rounds: "number",
      path: ["string"],
      root: "string",
      statement: "string",
      published: "string",
      precommitted: "boolean",
    },
    round_seconds: "number",
    caveat: "string",
  },
  BeaconDay: {
    day: "string",
    first_round: "number",
    rounds: "number",
    commits: ["string"],
    root: "string",
    statement: "string",
    prev: ["string", "null"],
    published: "string",
    precommitted: "boolean",
    round_seconds: "number",
    caveat: "string",
  },
  KeySet: { keys: ["#PublicKey"] },
  PublicKey: { kty: "string", crv: "string", kid: "string", use: "string", x: "string" },
  ReceiptKey: { key: "#PublicKey", pem: "string", all_keys: "string", how: ["string"] },
  ReceiptVerdict: { verdict: "string", attests: "string", does_not_attest: "string" },
  NewsOverHttp: { cursors: {} },
  AuditPage: {
    lines: [
      { seq: "number", at: "string", actor: "string", action: "string", target: "string", reason: "string" },
    ],
    next: ["number", "null"],
  },
  RetentionReport: { rules: { "*": "number" }, text: "string", counts: { "*": "number" } },
  Network: { urls: ["string"], hosts: ["string"], proxies: ["string"] },
  AdminTokens: { tokens: ["#AdminToken"] },
  AdminToken: {
    id: "string",
    label: "string",
    scope: "string",
    created: "string",
    revoked_at: ["string", "null"],
  },
  CreatedAdminToken: {
    id: "string",
    label: "string",
    scope: "string",
    created: "string",
    revoked_at: ["string", "null"],
    token: "string",
  },
  RevokedAdminToken: {
    id: "string",
    label: "string",
    scope: "string",
    created: "string",
    revoked_at: ["string", "null"],
    found: { revoked_at: ["string", "null"] },
  },
  BanList: { bans: ["#Ban"], next: ["string", "null"] },
  Ban: { network: "string", until: ["string", "null"], reason: "string", created: "string" },
  BannedNetwork: {
    network: "string",
    until: ["string", "null"],
    reason: "string",
    created: "string",
    found: {
      ban: [{ until: ["string", "null"], reason: "string", created: "string" }, "null"],
      open_calls: "number",
    },
  },
  BanLifted: {
    network: "string",
    lifted: "boolean",
    found: [{ until: ["string", "null"], reason: "string", created: "string" }, "null"],
  },
  PostReported: { reported: "boolean", room: "string", n: "number" },
  ReportList: { reports: ["#Report"], next: ["string", "null"], treat_as: "string" },
  Report: {
    post_id: "string",
    room: "string",
    goal: "string",
    visibility: "string",
    n: "number",
    url: "string",
    name: "string",
    claimed: "boolean",
    ts: "string",
    body: "string",
    count: "number",
    first_at: "string",
    last_at: "string",
    reasons: ["string"],
  },
  ReportDismissed: {
    dismissed: "boolean",
    found: { room: "string", n: "number", name: "string", claimed: "boolean", ts: "string", count: "number" },
  },
  Problem: {
    type: "string",
    title: "string",
    status: "number",
    detail: "string",
    code: "string",
    retryable: "boolean",
  },
  Lease: { holder: "string", paths: ["string"], since: "string", until: "string" },
};
