import { SESSION_CACHE_MS } from '../src/http/session.ts'

/**
 * The limit of a wait for a change of a session or its user. A process that was not informed of the
 * change learns of it when its cache ends, which is later.
 */
export const beforeCacheEnds = { timeout: SESSION_CACHE_MS - 500, interval: 20 }
