import type { SignupIds, SignupMessage } from './signup-messages.ts'

/**
 * Why a login ended without a connection.
 * - `cancelled`, `reported`: see `SignupMessage`
 * - `denied`: the person has not authorized the application
 * - `closed`: the window was closed before the end
 * - `no-code`: the choice was made, but the window was closed before the authorization
 * - `late`: the code is too old to be used
 */
export type SignupEnd =
  | Exclude<SignupMessage, { kind: 'finished' }>
  | { kind: 'denied' | 'closed' | 'no-code' | 'late' }

/** What the script's callback says. */
export type LoginResponse = { status?: string; authResponse?: { code?: string } | null }

/** Milliseconds for which a code is valid. */
const CODE_MS = 30_000

/** Milliseconds to wait for the ids after the code. Without them the server finds the account. */
const IDS_MS = 8_000

/** Milliseconds to wait for a message after the window was closed. */
const MESSAGE_MS = 1_000

type Options = {
  onReady: (code: string, ids: SignupIds) => void
  onEnd: (end: SignupEnd) => void
}

export type SignupJoin = ReturnType<typeof createSignupJoin>

/**
 * Joins the two halves of a login: the code, which the script's callback gives, and the ids, which a message of the
 * window gives. They come in either order, or one of them does not come. Calls one of its functions, once.
 */
export function createSignupJoin({ onReady, onEnd }: Options) {
  let code: { value: string; at: number } | undefined
  let ids: SignupIds | undefined
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function finish(work: () => void) {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    work()
  }

  function submit() {
    if (!code) return
    const { value, at } = code
    finish(() => (Date.now() - at < CODE_MS ? onReady(value, ids ?? {}) : onEnd({ kind: 'late' })))
  }

  function after(milliseconds: number, work: () => void) {
    clearTimeout(timer)
    timer = setTimeout(work, milliseconds)
  }

  return {
    heardMessage(message: SignupMessage) {
      if (message.kind !== 'finished') return finish(() => onEnd(message))
      ids = message.ids
      submit()
    },

    heardResponse({ status, authResponse }: LoginResponse) {
      if (status === 'not_authorized') return finish(() => onEnd({ kind: 'denied' }))
      if (authResponse?.code) {
        code ??= { value: authResponse.code, at: Date.now() }
        if (ids) submit()
        else after(IDS_MS, submit)
      } else {
        after(MESSAGE_MS, () => finish(() => onEnd({ kind: ids ? 'no-code' : 'closed' })))
      }
    },

    /** Ends it without a call. */
    stop: () => finish(() => undefined),
  }
}
