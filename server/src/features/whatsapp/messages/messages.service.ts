import type { NoticeKind, WhatsAppMessages } from '@bancone/contract/whatsapp-messages'
import { whatsAppTerms } from '@bancone/contract/whatsapp-terms'
import { AppError } from '../../../app-error.ts'
import type { Database } from '../../../database/database.ts'
import type { ConnectionsStore } from '../connections.store.ts'
import type { MessageSettingsStore } from './message-settings.store.ts'
import { enqueueTemplates, kindsOf, previewOf } from './message-templates.ts'
import { noticeTexts } from './message-texts.ts'
import type { OutboxStore } from './outbox.store.ts'
import type { TemplatesStore } from './templates.store.ts'

type Dependencies = {
  db: Database
  settings: MessageSettingsStore
  templates: Pick<TemplatesStore, 'list'>
  connections: Pick<ConnectionsStore, 'load'>
  outbox: Pick<OutboxStore, 'cancelAll'>
}

type Chosen = Parameters<MessageSettingsStore['change']>[1]

export type Messages = ReturnType<typeof createMessages>

/** The switch and the settings of the messages. */
export function createMessages({ db, settings, templates, connections, outbox }: Dependencies) {
  async function get(pharmacyId: string): Promise<WhatsAppMessages> {
    const current = await settings.get(pharmacyId)
    const known = await templates.list(pharmacyId)
    const shown = (kind: NoticeKind) => {
      const notice = noticeTexts(current.saysTu)[kind]
      const { name } = notice
      const found = known.find((template) => template.name === name)
      const { status = null, category = null } = found ?? {}
      return { name, kind, preview: previewOf(notice), status, category }
    }
    return { ...current, templates: kindsOf(current).map(shown) }
  }

  return {
    get,

    /** @param version of the terms that the owner has read */
    async accept(pharmacyId: string, userId: string, version: number): Promise<WhatsAppMessages> {
      const connection = await connections.load(pharmacyId)
      if (!connection || connection.state === 'disconnected')
        throw new AppError('whatsapp.not_connected')
      if (version !== whatsAppTerms.version) throw new AppError('whatsapp.other_terms')
      await settings.accept(pharmacyId, userId)
      await enqueueTemplates(db, pharmacyId)
      return get(pharmacyId)
    },

    async switchOff(pharmacyId: string): Promise<WhatsAppMessages> {
      await settings.switchOff(pharmacyId, (tx) => outbox.cancelAll(tx, pharmacyId))
      return get(pharmacyId)
    },

    async change(pharmacyId: string, chosen: Chosen): Promise<WhatsAppMessages> {
      await settings.change(pharmacyId, chosen)
      await enqueueTemplates(db, pharmacyId)
      return get(pharmacyId)
    },
  }
}
