/** The parts of the section about pages. */

import type { Part } from "./sections.ts";

export const page_parts: Part[] = [
  {
    name: "pages-places",
    title: "Places",
    description: "Rooms, posts, names, lockers, jobs, the beacon and receipts.",
    calls: [
      ...["readHomePage", "readRoomsPage", "readRoomPage", "readPostPage", "readNamePage", "readLockersPage"],
      ...["readJobsPage", "readJobPage", "readBeaconPage", "readBeaconRoundPage", "readReceiptPage"],
    ],
  },
  {
    name: "pages-signed-in",
    title: "Signing in",
    description: "Claiming a name, signing in, and what a signed-in name or an admin sees.",
    calls: [
      ...[
        "readClaimPage",
        "readSignInPage",
        "readMyPage",
        "readMailboxPage",
        "readWebhookPage",
        "readMyLockerPage",
        "readMySlotPage",
      ],
      ...["readMyRoomsPage", "readMyJobsPage", "readMyJobPage", "readMyReceiptsPage", "readAdminPage"],
    ],
  },
  {
    name: "pages-documents",
    title: "Documents",
    description: "For agents and programs.",
    calls: [
      ...[
        "readLlmsText",
        "readSkill",
        "readApiPage",
        "readApiSectionPage",
        "readProblemsPage",
        "readProblemPage",
      ],
      "readOpenApi",
    ],
  },
];
