import { z } from 'zod'
import { SourceError, type SourceLocation } from '../../ports/order-source.ts'
import type { RemovedRecords, SourceAccess, SourceWebhooks } from '../../ports/source-webhooks.ts'
import { AirtableRefusal, type createAirtableClient } from './airtable-client.ts'
import { readSchema } from './airtable-columns.ts'

const Expiry = z.iso.datetime().nullish()
const ListReply = z.object({
  webhooks: z.array(
    z.object({
      id: z.string(),
      notificationUrl: z.string().nullish(),
      areNotificationsEnabled: z.boolean(),
      isHookEnabled: z.boolean(),
      cursorForNextPayload: z.number().int().min(1),
      expirationTime: Expiry,
      lastNotificationResult: z.object({ success: z.boolean() }).nullish(),
    }),
  ),
})
const CreateReply = z.object({
  id: z.string().regex(/^ach\w+$/),
  macSecretBase64: z.base64().min(1),
  expirationTime: Expiry,
})
const RefreshReply = z.object({ expirationTime: Expiry })
const PayloadsReply = z.object({
  payloads: z.array(
    z.object({
      changedTablesById: z
        .record(z.string(), z.object({ destroyedRecordIds: z.array(z.string()).default([]) }))
        .default({}),
    }),
  ),
  cursor: z.number().int().min(1),
  mightHaveMore: z.boolean(),
})

/** Airtable's webhooks of bases. Their requests count against the same limits as those for records. */
export function createAirtableWebhooks(
  client: ReturnType<typeof createAirtableClient>,
): SourceWebhooks {
  const pathOf = (baseId: string, ...rest: string[]) => ['bases', baseId, 'webhooks', ...rest]

  async function send<S extends z.ZodType>(
    schema: S,
    call: Omit<Parameters<typeof client.send>[0], 'kind'>,
  ): Promise<z.output<S>> {
    const reply = await client.send({ kind: 'sweep', ...call }).catch(asSourceError)
    const parsed = schema.safeParse(reply)
    if (parsed.success) return parsed.data
    throw new SourceError('unreachable', 'the reply of Airtable about webhooks is not understood')
  }

  return {
    async list(baseId, signal) {
      const { webhooks } = await send(ListReply, { baseId, path: pathOf(baseId), signal })
      return webhooks.map((webhook) => ({
        id: webhook.id,
        url: webhook.notificationUrl ?? null,
        isEnabled: webhook.isHookEnabled && webhook.areNotificationsEnabled,
        cursor: webhook.cursorForNextPayload,
        expiresAt: webhook.expirationTime ?? null,
        wasDelivered: webhook.lastNotificationResult?.success ?? null,
      }))
    },

    async create(baseId, { url, tableId }, signal) {
      const filters = {
        dataTypes: ['tableData'],
        ...(tableId !== null && { recordChangeScope: tableId }),
      }
      const made = await send(CreateReply, {
        baseId,
        path: pathOf(baseId),
        json: { notificationUrl: url, specification: { options: { filters } } },
        tries: 1,
        signal,
      })
      return {
        id: made.id,
        secret: Buffer.from(made.macSecretBase64, 'base64'),
        expiresAt: made.expirationTime ?? null,
      }
    },

    async refresh(baseId, webhookId, signal) {
      const path = pathOf(baseId, webhookId, 'refresh')
      const { expirationTime } = await send(RefreshReply, { baseId, path, json: {}, signal })
      return expirationTime ?? null
    },

    async remove(baseId, webhookId, signal) {
      const call = { kind: 'sweep', baseId, path: pathOf(baseId, webhookId), signal } as const
      await client.send({ ...call, method: 'DELETE' }).catch((error: unknown) => {
        if (error instanceof AirtableRefusal && error.status === 404) return
        asSourceError(error)
      })
    },

    async *removedRecords(baseId, webhookId, from, signal): AsyncGenerator<RemovedRecords> {
      let cursor = from
      for (let isMore = true; isMore; ) {
        const query = new URLSearchParams({ cursor: String(cursor) })
        const path = pathOf(baseId, webhookId, 'payloads')
        const page = await send(PayloadsReply, { baseId, path, query, signal })
        const records = page.payloads.flatMap(({ changedTablesById }) =>
          Object.entries(changedTablesById).flatMap(([tableId, { destroyedRecordIds }]) =>
            destroyedRecordIds.map((recordId) => ({ tableId, recordId })),
          ),
        )
        yield { records, cursor: page.cursor }
        isMore = page.mightHaveMore && page.cursor > cursor
        cursor = page.cursor
      }
    },

    async access(location, token, signal) {
      return accessOf(client, location, token, signal)
    },
  }
}

/**
 * Airtable tells the scopes of a personal access token only by refusing. Whether records can be written is seen when
 * one is written.
 */
async function accessOf(
  client: ReturnType<typeof createAirtableClient>,
  { baseId, tableId }: SourceLocation,
  token: string | undefined,
  signal: AbortSignal | undefined,
): Promise<SourceAccess> {
  const call = { kind: 'read', baseId, token, tries: 1, signal } as const
  /** The reply, or the refusal. */
  const answerTo = async (path: string[], query?: URLSearchParams) => {
    try {
      return { reply: await client.send({ ...call, path, ...(query && { query }) }) }
    } catch (error) {
      if (error instanceof AirtableRefusal) return { refusal: error }
      throw error
    }
  }
  const without = { canReadSchema: false, canManageWebhooks: false }
  try {
    const { refusal } = await answerTo([baseId, tableId], new URLSearchParams({ maxRecords: '1' }))
    if (refusal?.status === 401) return { ...without, problem: 'wrong_token' }
    const schema = await answerTo(['meta', 'bases', baseId, 'tables'])
    const webhooks = await answerTo(['bases', baseId, 'webhooks'])
    const canReadSchema = schema.refusal === undefined
    const rights = { canReadSchema, canManageWebhooks: webhooks.refusal === undefined }
    if (!refusal) return { ...rights, problem: null }
    if (!canReadSchema) return { ...rights, problem: 'no_access' }
    const isThere = readSchema(schema.reply, tableId) !== null
    return { ...rights, problem: isThere ? 'missing_scope' : 'table_not_found' }
  } catch (error) {
    const isMissing = error instanceof SourceError && error.kind === 'denied'
    return { ...without, problem: isMissing ? 'not_configured' : 'unreachable' }
  }
}

function asSourceError(error: unknown): never {
  if (!(error instanceof AirtableRefusal)) throw error
  const { status, message } = error
  if ([401, 402, 403, 429].includes(status)) throw new SourceError('denied', message)
  throw new SourceError(status === 404 ? 'not_found' : 'refused', message)
}
