import {
  getPrivacyText,
  listPrivacyTexts,
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
import type { AppModule } from '../../http/app-module.ts'
import type { Context } from '../../platform/context.ts'
import { type PrivacyPageDependencies, privacyPageRoute } from './privacy-page.ts'
import { createPrivacyTextsStore } from './privacy-texts.store.ts'
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
