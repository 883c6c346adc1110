import { setTimeout as pause } from 'node:timers/promises'
import { type Outbound, OutboundError, type OutboundResponse } from '../../ports/outbound.ts'
import { AssistantError, type ProductAssistant } from '../../ports/product-assistant.ts'
import { readReply } from './ai-webhook-reply.ts'

export type AiWebhookOptions = {
  /** The URL of the webhook. Its user name and password are sent as Basic authentication. */
  url: string
  fetch: Outbound['fetch']
  /** Time limit in milliseconds, including the second attempt. */
  timeLimitMs?: number
  /** Milliseconds before the second attempt. */
  retryMs?: number
}

/** The largest response in bytes. */
const SIZE_LIMIT = 256 * 1024

/** A product assistant behind a webhook, for example a workflow of n8n. */
export function createAiWebhook(options: AiWebhookOptions): ProductAssistant {
  const { fetch, timeLimitMs = 30_000, retryMs = 300 } = options
  const { address, authorization } = placeOf(options.url)

  return {
    async draft({ productName, pharmacyId, category }, signal) {
      const body = Buffer.from(JSON.stringify({ productName, pharmacyId, category }))
      const end = performance.now() + timeLimitMs
      const send = () =>
        fetch(address, {
          method: 'POST',
          headers: {
            Accept: 'application/json, text/plain;q=0.5',
            'Content-Type': 'application/json',
            ...(authorization && { Authorization: authorization }),
          },
          body,
          timeLimitMs: Math.max(1, Math.ceil(end - performance.now())),
          sizeLimit: SIZE_LIMIT,
          signal,
        })
      const sendAgain = async (error: unknown) => {
        if (!isLost(error)) throw error
        await pause(retryMs, undefined, { signal })
        return send()
      }
      try {
        return answerOf(await send().catch(sendAgain))
      } catch (error) {
        signal?.throwIfAborted()
        throw error instanceof OutboundError ? asAssistantError(error) : error
      }
    },
  }
}

/** Removes the credentials from the URL and returns them as a header. */
function placeOf(text: string): { address: string; authorization: string | undefined } {
  const url = new URL(text)
  const { username, password } = url
  url.username = ''
  url.password = ''
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const authorization = login === ':' ? undefined : `Basic ${Buffer.from(login).toString('base64')}`
  return { address: url.href, authorization }
}

/** Whether the request can be repeated: once a response has begun, the workflow has run. */
function isLost(error: unknown): boolean {
  return error instanceof OutboundError && error.kind === 'unreachable' && !error.isAnswered
}

function answerOf({ status, headers, body }: OutboundResponse) {
  if (status < 200 || status > 299) throw refusal(status)
  const reply = readReply(headers['content-type'], body)
  if (!reply) throw new AssistantError('unreadable', 'the answer is not one of the known forms')
  return reply
}

function refusal(status: number): AssistantError {
  return new AssistantError('status', `the webhook answered ${status}`, { status })
}

function asAssistantError(error: OutboundError): AssistantError {
  const { kind, status, message } = error
  if (status !== undefined) return refusal(status)
  const cause = { cause: error }
  if (kind === 'timeout') return new AssistantError('timeout', message, cause)
  if (kind === 'too_large') return new AssistantError('unreadable', message, cause)
  return new AssistantError('unreachable', message, cause)
}
