import type { WhatsAppLogin } from '@bancone/contract/whatsapp'
import type { LoginResponse } from './signup-join.ts'

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
export async function loadMetaSdk({ appId, version, scriptUrl }: WhatsAppLogin): Promise<MetaSdk> {
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
export function openLogin(
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
