/** The app of the service without a socket, for tests that look at its routes or ask it directly. */

import { createApp, type App } from "../../src/app/app.ts";
import type { AppStorage } from "../../src/app/storage.ts";
import type { Log } from "../../src/core/log.ts";
import { default_config } from "../../src/core/settings.ts";
import type { FakeClock } from "./clock.ts";
import { seededRandom } from "../../src/dev/random.ts";
import type { TestSettings } from "./service.ts";

/** Creates the app with an open storage, with webhooks and without limits of use. Every request comes from 127.0.0.1. */
export const createTestApp = (
  storage: AppStorage,
  clock: FakeClock,
  log: Log,
  settings: TestSettings = {},
): Promise<App> =>
  createApp({
    config: { ...default_config, rate_limit: false, webhooks: true, ...settings },
    storage,
    clock,
    random: seededRandom(1),
    log,
    origin: () => "http://localhost",
    urls: () => [],
    peer: () => "127.0.0.1",
    setIdleSeconds: () => {},
  });
