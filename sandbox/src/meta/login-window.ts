import type { AccountName } from './accounts.ts'

type Outcome = {
  label: string
  account?: AccountName
  /** The event of the message with the ids; undefined: no such message. */
  event?: string
  /** Whether the message names the number too. */
  hasNumber?: boolean
  /** As version 5: the message names no account of WhatsApp Business, and the code authorizes another one too. */
  isNumberFirst?: boolean
  /** Whether the login ends with a code. */
  hasCode?: boolean
  lacksPermissions?: boolean
  isDenied?: boolean
  data?: Record<string, string>
}

const steps = [
  'BUSINESS_ACCOUNT_SELECTION',
  'WABA_PHONE_PROFILE_PICKER',
  'WHATSAPP_BUSINESS_PROFILE_SETUP',
  'PHONE_NUMBER_SETUP',
  'PHONE_NUMBER_VERIFICATION',
  'PERMISSIONS',
]

const finish = { event: 'FINISH', hasNumber: true, hasCode: true }

/** How the login window can end, by the value of its button. */
export const outcomes: ReadonlyMap<string, Outcome> = new Map<string, Outcome>([
  ['number', { label: 'Collega +39 041 520 1234', account: 'number', ...finish }],
  ['other', { label: 'Collega +39 041 520 9876', account: 'other', ...finish }],
  [
    'number-first',
    { label: 'Versione 5: prima il numero', account: 'number', ...finish, isNumberFirst: true },
  ],
  [
    'only-account',
    {
      label: "Collega l'account senza numero",
      account: 'empty',
      event: 'FINISH_ONLY_WABA',
      hasCode: true,
    },
  ],
  ['unverified', { label: 'Numero non verificato', account: 'unverified', ...finish }],
  ['review', { label: 'Numero in esame', account: 'review', ...finish }],
  [
    'business-app',
    {
      label: "Numero dell'app WhatsApp Business",
      account: 'businessApp',
      event: 'FINISH_WHATSAPP_BUSINESS_APP_ONBOARDING',
      hasCode: true,
    },
  ],
  [
    'no-permissions',
    { label: 'Togli i permessi', account: 'number', ...finish, lacksPermissions: true },
  ],
  ['code-only', { label: 'Solo il codice', account: 'number', hasCode: true }],
  ['ids-only', { label: 'Solo gli id', account: 'number', event: 'FINISH', hasNumber: true }],
  ['denied', { label: "Nega l'autorizzazione", isDenied: true }],
  [
    'error',
    {
      label: 'Segnala un errore',
      event: 'CANCEL',
      data: {
        error_message: 'Your account is not allowed',
        error_code: '524126',
        session_id: 'sandbox',
      },
    },
  ],
  ...steps.map((step): [string, Outcome] => [
    `cancel-${step}`,
    { label: `Interrompi a ${step}`, event: 'CANCEL', data: { current_step: step } },
  ]),
])

/** The first page of the window. */
export function choicePage(query: string): string {
  const buttons = [...outcomes].map(
    ([value, { label }]) => `<button name="outcome" value="${value}">${escaped(label)}</button>`,
  )
  return page(
    'Accedi con Facebook',
    `<p>Bancone chiede di gestire il tuo account WhatsApp Business.</p>
<form method="post" action="?${escaped(query)}">${buttons.join('\n')}
<label><input type="checkbox" name="codeFirst" value="1"> Prima il codice, poi gli id</label></form>
<p class="note">È un servizio di prova: non chiede password e non manda messaggi.</p>`,
  )
}

/** The last page: it tells the page that opened it how the login ended, and closes. */
export function endPage(
  opener: string,
  messages: readonly unknown[],
  closesAfterMs: number,
): string {
  // Inside a script element the text must not end it.
  const json = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')
  return page(
    'Fatto',
    `<p>Puoi chiudere questa finestra.</p><script>
const messages = ${json(messages)}
messages.forEach((message, index) =>
  setTimeout(() => window.opener?.postMessage(message, ${json(opener)}), index * 200))
setTimeout(() => window.close(), ${closesAfterMs})
</script>`,
  )
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="it"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 26rem; margin: 5vh auto; padding: 0 1rem }
button { display: block; width: 100%; min-height: 2.75rem; margin: .4rem 0; font: inherit; overflow-wrap: anywhere }
.note { opacity: .7; font-size: .875rem }
</style></head><body><main><h1>${title}</h1>
${content}
</main></body></html>
`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** The stand-in for Meta's JavaScript SDK: `FB.init` and `FB.login` of the real one, for the login alone. */
export const sdkScript = (origin: string) => `(() => {
  const ORIGIN = ${JSON.stringify(origin)}
  let settings
  window.FB = {
    init(given) { settings = given },
    login(callback, options) {
      if (!settings) throw new Error('FB.login() called before FB.init()')
      if (callback.constructor.name === 'AsyncFunction') throw new Error('Expression is of type asyncfunction, not function')
      const query = new URLSearchParams({
        client_id: settings.appId,
        config_id: options.config_id ?? '',
        response_type: options.response_type ?? '',
        origin: location.origin,
        extras: JSON.stringify(options.extras ?? {}),
      })
      const opened = window.open(ORIGIN + '/' + settings.version + '/dialog/oauth?' + query, '_blank', 'width=600,height=700')
      const end = (response) => {
        clearInterval(looks)
        removeEventListener('message', hear)
        callback(response)
      }
      const hear = (event) => {
        if (event.origin === ORIGIN && event.data?.sandboxLogin) end(event.data.sandboxLogin)
      }
      const looks = setInterval(() => {
        if (!opened || opened.closed) end({ status: 'unknown', authResponse: null })
      }, 200)
      addEventListener('message', hear)
    },
  }
  window.fbAsyncInit?.()
})()
`
