import {
  getPrivacyText,
  listPrivacyTexts,
  publishPrivacyText,
} from '@bancone/contract/privacy-texts'
import {
  changeSetting,
  dismissNotice,
  getNotice,
  getSettings,
  getSupportContact,
} from '@bancone/contract/settings'
import type { Serve } from '../../http/serve.ts'
import type { PrivacyTextsStore } from './privacy-texts.store.ts'
import type { SettingsService } from './settings.service.ts'

export function settingsRoutes(
  serve: Serve,
  settings: SettingsService,
  privacyTexts: PrivacyTextsStore,
) {
  serve(getSettings, () => settings.all())
  serve(changeSetting, ({ body }, { userId }) => settings.change(body, userId))
  serve(getSupportContact, () => settings.supportContact())

  serve(getNotice, (_input, { userId }) => settings.notice(userId))
  serve(dismissNotice, async ({ body }, { userId }) => {
    await settings.dismissNotice(userId, body.version)
    return {}
  })

  serve(getPrivacyText, () => privacyTexts.current())
  serve(listPrivacyTexts, async () => ({ texts: await privacyTexts.list() }))
  serve(publishPrivacyText, async ({ body }, { userId }) => ({
    text: await privacyTexts.publish(body.text, body.basedOn, userId),
  }))
}
