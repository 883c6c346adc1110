import type { Config } from '../config/config.ts'
import type { AppModule } from '../http/app-module.ts'
import {
  broadcastDatabaseEvents,
  broadcastMissed,
  createTopicAccess,
} from '../http/pharmacy-topics.ts'
import type { Sessions } from '../http/session.ts'
import type { AuthService } from '../platform/auth/auth.service.ts'
import type { Context } from '../platform/context.ts'
import type { Events } from '../platform/events.ts'
import type { Limits, Timing } from '../platform/realtime/limits.ts'
import { realtimeRoutes } from '../platform/realtime/realtime.routes.ts'
import { createRealtime, type Realtime } from '../platform/realtime/realtime.service.ts'

export type RealtimeSettings = {
  publicUrl: string
  auth: Pick<Config['auth'], 'origins'>
  realtime?: { limits?: Partial<Limits>; timing?: Partial<Timing> }
}

type Dependencies = Context & {
  events: Events
  sessions: Sessions
  auth: Pick<AuthService, 'isAdminKey'>
  settings: RealtimeSettings
}

/** Wires Realtime: who may join which topic, and what the database's notifications broadcast. */
export function wireRealtime({
  db,
  events,
  sessions,
  auth,
  settings,
  clock,
  log,
}: Dependencies): AppModule & {
  realtime: Realtime
} {
  const realtime = createRealtime({
    db,
    events,
    ...createTopicAccess(sessions, clock),
    isAdminKey: auth.isAdminKey,
    publicUrl: settings.publicUrl,
    origins: settings.auth.origins,
    onMissed: () => broadcastMissed(realtime),
    clock,
    log,
    ...settings.realtime,
  })
  broadcastDatabaseEvents(events, realtime)
  return {
    realtime,
    routes: ({ app }) => app.register(realtimeRoutes, { prefix: '/realtime/v1', realtime }),
    close: realtime.close,
  }
}
