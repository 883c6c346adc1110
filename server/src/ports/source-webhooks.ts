import type { SourceLocation } from './order-source.ts'

/** A webhook of a base, as the order source lists it. */
export type SourceWebhook = {
  id: string
  /** The address that is pinged; null for none. */
  url: string | null
  /** It works, and its pings are sent. */
  isEnabled: boolean
  /** The number of the next payload: it grows with every reported change. */
  cursor: number
  /** ISO 8601; null when it does not expire. */
  expiresAt: string | null
  /** Whether the last ping was accepted; null before the first one. */
  wasDelivered: boolean | null
}

/** Records that were removed from their tables, and the cursor after them. */
export type RemovedRecords = { records: { tableId: string; recordId: string }[]; cursor: number }

/**
 * What a token may do with a table.
 * - `wrong_token`: the source does not know the token
 * - `no_access`: the token has no access to the base, or lacks the scopes to read it, or the base is not there
 * - `missing_scope`: the token sees the table and may not read its records
 * - `table_not_found`: the base is readable and has no such table
 */
export type SourceAccess = {
  problem:
    | 'not_configured'
    | 'wrong_token'
    | 'no_access'
    | 'missing_scope'
    | 'table_not_found'
    | 'unreachable'
    | null
  canReadSchema: boolean
  canManageWebhooks: boolean
}

/**
 * The webhooks of bases: the source pings an address when records change, without their contents. All methods but
 * `access` throw SourceError, `denied` where the token may not manage webhooks.
 */
export type SourceWebhooks = {
  list(baseId: string, signal?: AbortSignal): Promise<SourceWebhook[]>
  /**
   * Not repeated when it fails, so that it may exist although this throws.
   *
   * @param tableId the only table to report; null for all
   */
  create(
    baseId: string,
    options: { url: string; tableId: string | null },
    signal?: AbortSignal,
  ): Promise<{ id: string; secret: Buffer; expiresAt: string | null }>
  /** Postpones the end. @returns when it expires (ISO 8601) */
  refresh(baseId: string, webhookId: string, signal?: AbortSignal): Promise<string | null>
  /** Does nothing when there is no such webhook. */
  remove(baseId: string, webhookId: string, signal?: AbortSignal): Promise<void>
  /** Lists what was removed from a cursor on, page by page. Listing also postpones the end of the webhook. */
  removedRecords(
    baseId: string,
    webhookId: string,
    cursor: number,
    signal?: AbortSignal,
  ): AsyncIterable<RemovedRecords>
  /**
   * Finds out what a token may do. Requests are not repeated, and failures are the result.
   *
   * @param token undefined for the one that is used for the base
   */
  access(
    location: SourceLocation,
    token: string | undefined,
    signal?: AbortSignal,
  ): Promise<SourceAccess>
}
