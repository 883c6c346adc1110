import { type Feature, hasFeature } from '@bancone/contract/access'
import {
  customerPriorityPath,
  PRIVACY_FROM,
  paths,
  publicOffersPath,
} from '@bancone/contract/pages'
import {
  getPrivacyText,
  listPrivacyTexts,
  type PrivacyPage,
  publishPrivacyText,
} from '@bancone/contract/privacy-texts'
import { checkService, listServices } from '@bancone/contract/services'
import {
  changeSetting,
  dismissNotice,
  getNotice,
  getSettings,
  getSupportContact,
} from '@bancone/contract/settings'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { AppModule } from '../../http/app-module.ts'
import { compressText, sendCompressed } from '../../http/compressed-texts.ts'
import type { Context } from '../../platform/context.ts'
import type { PageRenderer } from '../../ports/page-renderer.ts'
import { createPrivacyTextsStore, type PrivacyTextsStore } from './privacy-texts.store.ts'
import { createServices, type ServiceCheck, serviceLimits } from './services.service.ts'
import { createServicesStore } from './services.store.ts'
import { createSettingsStore } from './settings.store.ts'

type Dependencies = Context & {
  checks: readonly ServiceCheck[]
  /** Undefined when no pages are built. */
  privacyPage: PrivacyPageDependencies | undefined
  /** `checkTimeLimitMs`: the time limit of a check in milliseconds, if not the default. */
  settings: { checkTimeLimitMs?: number | undefined }
}

export function wireSettings(dependencies: Dependencies): AppModule {
  const { db, checks, limits, clock, log, privacyPage } = dependencies
  const privacyTexts = createPrivacyTextsStore(db)
  const settings = createSettingsStore(db)
  const services = createServices({
    checks,
    store: createServicesStore(db),
    limits: limits(serviceLimits),
    clock,
    log,
    timeLimitMs: dependencies.settings.checkTimeLimitMs,
  })
  const isOn = (service: ServiceCheck['id']) =>
    checks.some(({ id, setup }) => id === service && setup === 'configured')
  return {
    start() {
      privacyTexts
        .publishDefault({ whatsApp: isOn('meta'), languageModel: isOn('assistant') })
        .catch((error: unknown) => log.warn({ err: error }, 'the privacy policy was not published'))
    },
    routes({ app, serve }) {
      serve(getSettings, () => settings.all())
      serve(changeSetting, async ({ body }, { userId }) => {
        await settings.change(body, userId)
        return settings.all()
      })
      serve(getSupportContact, () => settings.value('support'))

      serve(getNotice, (_input, { userId }) => settings.notice(userId, clock.now()))
      serve(dismissNotice, async ({ body }, { userId }) => {
        await settings.dismissNotice(userId, body.version)
        return {}
      })

      serve(getPrivacyText, () => privacyTexts.current())
      serve(listPrivacyTexts, async () => ({ texts: await privacyTexts.list() }))
      serve(publishPrivacyText, async ({ body }, { userId }) => ({
        text: await privacyTexts.publish(body.text, body.basedOn, userId),
      }))
      if (privacyPage) privacyPageRoute(app, privacyTexts, privacyPage)
      serve(listServices, async () => ({ services: await services.list() }))
      serve(checkService, async ({ params }, { userId }) => ({
        service: await services.check(params.service, userId),
      }))
    },
  }
}

type PrivacyPageDependencies = {
  /** By code, regardless of case. */
  pharmacy(
    code: string,
  ): Promise<
    { code: string; name: string; isActive: boolean; features: readonly Feature[] } | undefined
  >
  renderer: PageRenderer<PrivacyPage>
}

/** What is no code counts as none. */
const Code = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}]{1,100}$/u)
  .catch('')
const Query = z.object({ [PRIVACY_FROM]: Code })

/** The privacy policy as a page without a script. It leads back to the page of the pharmacy that it was opened from. */
function privacyPageRoute(
  app: FastifyInstance,
  store: Pick<PrivacyTextsStore, 'current'>,
  { pharmacy, renderer }: PrivacyPageDependencies,
): void {
  async function backTo(code: string): Promise<PrivacyPage['back']> {
    const found = code === '' ? undefined : await pharmacy(code)
    if (!found?.isActive) return null
    const { name } = found
    if (hasFeature(found, 'offers')) return { path: publicOffersPath(found.code), name }
    if (hasFeature(found, 'priority_access'))
      return { path: customerPriorityPath(found.code), name }
    return null
  }

  app.get(paths.privacy, async ({ query }, reply) => {
    const back = await backTo(Query.parse(query)[PRIVACY_FROM] ?? '')
    const page = await compressText(await renderer.render({ ...(await store.current()), back }))
    return sendCompressed(reply.header('Cache-Control', 'no-cache'), 'text/html', page)
  })
}
