import { getWhatsApp } from '@bancone/contract/whatsapp'
import type { Page } from 'playwright-core'
import { type App, accounts } from './app.ts'
import { openPharmacy } from './browser.ts'

/** The account and the number that the demo's Meta offers first. */
export const ACCOUNT = '100000000000001'
export const NUMBER = '200000000000001'
/** The button of the login that connects it. */
export const FIRST_NUMBER = 'Collega +39 041 520 1234'

type Sender = { userId?: string; phone?: string }

let written = 0

export type WhatsAppWorld = Awaited<ReturnType<typeof whatsAppOf>>

/** The demo's stand-in for Meta, and what the application says of the number of the first pharmacy. */
export async function whatsAppOf(app: App) {
  const authorization = `Bearer ${await app.token(accounts.sanMarco)}`

  async function state() {
    const reply = await fetch(app.url + getWhatsApp.path, { headers: { authorization } })
    return getWhatsApp.response.parse(await reply.json())
  }

  async function control(what: string, body: object): Promise<unknown> {
    // Another one after each start of the application.
    const { login } = await state()
    const reply = await fetch(`${login?.otherOrigin}/_control/${what}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`${what}: ${reply.status} ${await reply.text()}`)
    return reply.json()
  }

  function write(body: string, { userId, phone }: Sender) {
    written += 1
    return control('deliver', {
      object: 'whatsapp_business_account',
      entry: [
        {
          id: ACCOUNT,
          changes: [
            {
              field: 'messages',
              value: {
                metadata: { phone_number_id: NUMBER },
                contacts: [
                  {
                    profile: { name: 'Anna' },
                    ...(userId && { user_id: userId }),
                    ...(phone && { wa_id: phone }),
                  },
                ],
                messages: [
                  {
                    ...(userId && { from_user_id: userId }),
                    ...(phone && { from: phone }),
                    id: `wamid.${written}`,
                    timestamp: String(Math.floor(Date.now() / 1_000)),
                    type: 'text',
                    text: { body },
                  },
                ],
              },
            },
          ],
        },
      ],
    })
  }

  return {
    control,
    /** Has Meta send a message of a person. */
    receive: (userId: string) => write('Ciao', { userId }),
    write,
    /** The messages that Meta has accepted since the application was started. */
    messages: () => control('messages', {}),
  }
}

/** Loads the script of the login on the page of the connection. */
export async function prepareLogin(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Accedi con Facebook' }).click()
  await page.getByText('Facebook è pronto').waitFor()
}

/** Opens the window of the login and ends it with that button; null: closes it. */
export async function endLogin(
  page: Page,
  button: string | null,
  { codeFirst = false } = {},
): Promise<void> {
  const [popup] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: 'Connetti WhatsApp Business' }).click(),
  ])
  if (button === null) return popup.close()
  if (codeFirst) await popup.getByLabel('Prima il codice').check()
  await popup.getByRole('button', { name: button, exact: true }).click()
}

/** Signs in and connects the first number. */
export async function connectNumber(page: Page): Promise<void> {
  await openPharmacy(page, '/meta')
  await prepareLogin(page)
  await endLogin(page, FIRST_NUMBER)
  await page.getByText('Connesso con successo!').waitFor()
}
