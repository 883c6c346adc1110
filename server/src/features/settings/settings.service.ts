import type { CurrentNotice, PlatformSettings, SettingChange } from '@bancone/contract/settings'
import type { Clock } from '../../ports/clock.ts'
import type { SettingsStore } from './settings.store.ts'

type Dependencies = { store: SettingsStore; clock: Clock }

export type SettingsService = ReturnType<typeof createSettings>

/** What administrators set for the whole platform. */
export function createSettings({ store, clock }: Dependencies) {
  return {
    all: store.all,
    supportContact: () => store.value('support'),

    async change(change: SettingChange, userId: string): Promise<PlatformSettings> {
      await store.change(change, userId)
      return store.all()
    },

    async notice(userId: string): Promise<CurrentNotice> {
      const found = await store.notice(userId)
      const none: CurrentNotice = { notice: null, changesInSeconds: null }
      if (!found) return none
      const { version, text, severity, isDismissed } = found
      const secondsTo = (time: string) => Math.ceil((Date.parse(time) - clock.now()) / 1000)
      const starts = secondsTo(found.startsAt)
      const ends = secondsTo(found.endsAt)
      if (ends <= 0 || isDismissed) return none
      if (starts > 0) return { notice: null, changesInSeconds: starts }
      return { notice: { version, text, severity }, changesInSeconds: ends }
    },

    dismissNotice: store.dismissNotice,
  }
}
