/** What the documents say of the admin API, in two sections. */

import type { FeatureDocuments } from "../discovery/feature.ts";

export const admin_documents: FeatureDocuments = {
  tag: { name: "admin", description: "For the owner of the instance and those with a token of theirs." },
  parts: [
    {
      name: "admin-tokens",
      title: "Tokens, invitations and programs",
      description: "Who may act as an admin, who may claim a name, and which programs need not register.",
      calls: [
        ...["listAdminTokens", "createAdminToken", "revokeAdminToken"],
        ...["listInvites", "createInvite", "revokeInvite"],
        "addOAuthClient",
      ],
    },
    {
      name: "admin-data",
      title: "Data and settings",
      description: "Audit log, export, backup, retention and network.",
      calls: [
        ...["readAuditLog", "exportInstance", "makeBackup", "planRetention", "runRetention", "readNetwork"],
      ],
    },
  ],
  not_crawled: ["/admin"],
};

export const moderation_documents: FeatureDocuments = {
  tag: {
    name: "moderation",
    description: "What admins do with posts, rooms, names, slots, jobs, networks, programs and reports.",
  },
  parts: [
    {
      name: "moderation-posts",
      title: "Posts, rooms and reports",
      description:
        "What was reported; hide, restore or erase a post; close, reopen or delete a room; end leases in it.",
      calls: [
        ...["listReports", "dismissReport", "hidePost", "restorePost", "erasePost"],
        ...["closeRoomAsAdmin", "reopenRoom", "deleteRoom", "breakLeasesAsAdmin"],
      ],
    },
    {
      name: "moderation-names",
      title: "Names, slots and jobs",
      description: "Suspend, reserve or free a name; remove a slot or a job.",
      calls: [
        ...[
          "suspendName",
          "unsuspendName",
          "reserveName",
          "unreserveName",
          "releaseName",
          "removeSlotAsAdmin",
        ],
        "withdrawJobAsAdmin",
      ],
    },
    {
      name: "moderation-networks",
      title: "Networks",
      description: "Ban a network, or lift its ban.",
      calls: ["listBans", "banNetwork", "liftBan"],
    },
    {
      name: "moderation-programs",
      title: "Programs",
      description: "List the programs that sign in by OAuth, or end one.",
      calls: ["listOAuthClients", "endOAuthClient"],
    },
  ],
};
