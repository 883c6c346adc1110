import {
  exchangeFacebookToken,
  getWhatsApp,
  WHATSAPP_TIME_LIMIT_MS,
  type WhatsAppLogin,
} from '@bancone/contract/whatsapp'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, call } from '../../lib/api.ts'
import { endpointKey, updateCached } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import {
  createSignupJoin,
  type LoginResponse,
  type SignupEnd,
  type SignupJoin,
} from './signup-join.ts'
import { readSignupMessage, type SignupIds } from './signup-messages.ts'
import { endText } from './whatsapp-texts.ts'

/** How far a login is. */
export type SignupState =
  | { kind: 'idle' | 'loading' | 'ready' | 'waiting' | 'exchanging' }
  | { kind: 'denied' | 'stopped' | 'failed'; text: string }

const GENERAL = 'Non è stato possibile completare la connessione. Riprova più tardi.'

function failureOf(error: unknown): SignupState {
  const code = error instanceof ApiError ? error.code : null
  if (code === 'whatsapp.permissions_missing') return { kind: 'denied', text: errorMessage(error) }
  const why =
    code === 'whatsapp.exchange_failed'
      ? `${errorMessage(error)}: il codice di Facebook vale 30 secondi e una volta sola. Ripeti il collegamento.`
      : errorMessage(error)
  return { kind: 'failed', text: `${GENERAL} ${why}` }
}

function kindOf({ kind }: SignupEnd): 'denied' | 'stopped' | 'failed' {
  if (kind === 'denied') return kind
  return kind === 'reported' || kind === 'late' ? 'failed' : 'stopped'
}

/**
 * The login at Meta: its script, its window, and the exchange of its code.
 * @param onConnected gets the name of the account
 */
export function useSignup(login: WhatsAppLogin, onConnected: (account: string) => void) {
  const client = useQueryClient()
  const [state, setState] = useState<SignupState>({ kind: 'idle' })
  const sdk = useRef<MetaSdk | null>(null)
  const attempt = useRef<SignupJoin | null>(null)
  const { otherOrigin } = login

  useEffect(() => {
    const hear = (event: MessageEvent<unknown>) => {
      const message = readSignupMessage(event, otherOrigin)
      if (message) attempt.current?.heardMessage(message)
    }
    addEventListener('message', hear)
    return () => {
      removeEventListener('message', hear)
      attempt.current?.stop()
    }
  }, [otherOrigin])

  async function exchange(code: string, ids: SignupIds) {
    setState({ kind: 'exchanging' })
    try {
      // Sent once: a code cannot be used twice.
      const { user, connection } = await call(
        exchangeFacebookToken,
        { body: { code, ...ids } },
        { timeoutMs: WHATSAPP_TIME_LIMIT_MS },
      )
      await updateCached(client, getWhatsApp, (before) => ({ ...before, connection }))
      const [account] = user.accounts.data
      setState({ kind: 'ready' })
      onConnected(account?.name ?? user.name)
    } catch (error) {
      setState(failureOf(error))
      void client.invalidateQueries({ queryKey: endpointKey(getWhatsApp) })
    }
  }

  return {
    state,

    /** Loads the script. */
    async prepare() {
      setState({ kind: 'loading' })
      try {
        sdk.current = await loadMetaSdk(login)
        setState({ kind: 'ready' })
      } catch {
        setState({
          kind: 'failed',
          text: `${GENERAL} Lo script di Facebook non si carica: controlla che un'estensione del browser o la rete non lo blocchi.`,
        })
      }
    },

    /** Opens the window; for a click. */
    start() {
      if (!sdk.current) return
      attempt.current?.stop()
      const join = createSignupJoin({
        onReady: (code, ids) => void exchange(code, ids),
        onEnd: (end) => setState({ kind: kindOf(end), text: endText(end) }),
      })
      attempt.current = join
      setState({ kind: 'waiting' })
      openLogin(sdk.current, login, join.heardResponse)
    },

    /** Forgets the window. */
    cancel() {
      attempt.current?.stop()
      setState({ kind: 'ready' })
    },

    /** Whether the script is there. */
    isPrepared: () => sdk.current !== null,
  }
}

/** The part of Meta's JavaScript SDK that is used. */
export type MetaSdk = {
  init(options: { appId: string; autoLogAppEvents: boolean; xfbml: boolean; version: string }): void
  login(
    callback: (response: LoginResponse) => void,
    options: {
      config_id: string
      response_type: string
      override_default_response_type: boolean
      extras: object
    },
  ): void
}

declare global {
  interface Window {
    FB?: MetaSdk
    fbAsyncInit?: () => void
  }
}

/** Milliseconds after which a script that has not come is given up. */
const LIMIT_MS = 15_000

/**
 * Loads Meta's script into the page. Only the page of the WhatsApp connection may load it, and only after a click.
 * @throws Error when it cannot be loaded, for example because a browser extension blocks it
 */
async function loadMetaSdk({ appId, version, scriptUrl }: WhatsAppLogin): Promise<MetaSdk> {
  const sdk = window.FB ?? (await load(scriptUrl))
  sdk.init({ appId, autoLogAppEvents: false, xfbml: false, version })
  return sdk
}

function load(scriptUrl: string): Promise<MetaSdk> {
  const script = document.createElement('script')
  return new Promise<MetaSdk>((resolve, reject) => {
    const fail = () => {
      script.remove()
      reject(new Error('the script of Meta was not loaded'))
    }
    const timer = setTimeout(fail, LIMIT_MS)
    window.fbAsyncInit = () => {
      clearTimeout(timer)
      if (window.FB) resolve(window.FB)
      else fail()
    }
    script.addEventListener('error', fail)
    script.src = scriptUrl
    script.async = true
    script.crossOrigin = 'anonymous'
    document.head.append(script)
  })
}

/** Opens Meta's window. Must be called in a click, or browsers block the window. */
function openLogin(
  sdk: MetaSdk,
  { configId }: WhatsAppLogin,
  onResponse: (response: LoginResponse) => void,
): void {
  sdk.login(onResponse, {
    config_id: configId,
    response_type: 'code',
    override_default_response_type: true,
    // Version 4 of the sign-up. A number of the WhatsApp Business app may stay there.
    extras: { setup: {}, featureType: 'whatsapp_business_app_onboarding' },
  })
}
