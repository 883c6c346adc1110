import type { WhatsAppLogin } from '@bancone/contract/whatsapp'
import { GRAPH_VERSION } from '../adapters/meta/graph-client.ts'
import { createMetaBusiness } from '../adapters/meta/meta-business.ts'
import type { MetaSettings } from '../config/providers.ts'
import type { WhatsAppDependencies } from '../features/whatsapp/whatsapp.context.ts'
import { wireWhatsApp } from '../features/whatsapp/whatsapp.wiring.ts'
import { createOutbound } from '../platform/outbound.ts'
import type { WhatsAppBusiness } from '../ports/whatsapp-business.ts'

const GRAPH_URL = 'https://graph.facebook.com'

/** The script of Meta with the texts of the login in Italian. */
const SCRIPT_URL = 'https://connect.facebook.net/it_IT/sdk.js'

type Dependencies = WhatsAppDependencies & {
  settings: { publicUrl: string; meta?: MetaSettings | undefined }
}

/** Wires WhatsApp with Meta. `business`: undefined when Meta is not configured. */
export function wireMeta({
  settings,
  ...common
}: Dependencies): ReturnType<typeof wireWhatsApp> & { business: WhatsAppBusiness | undefined } {
  const { publicUrl, meta } = settings
  if (!meta) return { business: undefined, ...wireWhatsApp({ ...common, publicUrl, meta }) }
  const { appId, appSecret, configId, verifyToken, graphUrl = GRAPH_URL } = meta
  // A client of its own: the configured origin may be private, but URLs from data must not reach it.
  const outbound = createOutbound({ allow: [new URL(graphUrl).origin] })
  const business = createMetaBusiness({
    graphUrl,
    appId,
    appSecret,
    fetch: outbound.fetch,
  })
  const login: WhatsAppLogin = { appId, configId, version: GRAPH_VERSION, ...scriptOf(meta) }
  return {
    business,
    ...wireWhatsApp({
      ...common,
      publicUrl,
      meta: { business, appSecret, verifyToken, login },
    }),
    close: outbound.close,
  }
}

/** Where the script of the login comes from, and the origin of its window if that is not Meta's. */
export function scriptOf({ graphUrl }: MetaSettings): {
  scriptUrl: string
  otherOrigin: string | null
} {
  if (graphUrl === undefined || new URL(graphUrl).origin === GRAPH_URL)
    return { scriptUrl: SCRIPT_URL, otherOrigin: null }
  const { origin } = new URL(graphUrl)
  return { scriptUrl: `${origin}/it_IT/sdk.js`, otherOrigin: origin }
}
