import { z } from 'zod'
import type { Tasks } from '../../platform/jobs.ts'
import type { Log } from '../../ports/log.ts'
import { type Mailer, MailerError } from '../../ports/mailer.ts'
import type { ConnectionChecksStore } from './connection-checks.store.ts'
import type { DeliveriesStore } from './deliveries.store.ts'
import { CHECK_TASK } from './stored-connection.store.ts'
import type { InboxStore } from './webhook/inbox.store.ts'
import type { CheckConnection } from './whatsapp-check.ts'
import { MAIL_TASK, MailJob, writeWhatsAppMail } from './whatsapp-mails.ts'

export const WHATSAPP_DAY_TASK = 'whatsapp.day'

const OfPharmacy = z.object({ pharmacyId: z.uuid() })

type Dependencies = {
  /** Undefined: Meta is not configured. */
  check: CheckConnection | undefined
  checks: ConnectionChecksStore
  deliveries: DeliveriesStore
  inbox: Pick<InboxStore, 'removeOld'>
  /** Removes what was written and sent long ago. @returns the number of messages of customers */
  removeMessages(): Promise<number>
  mailer: Mailer
  publicUrl: string
  log: Pick<Log, 'info' | 'warn'>
}

export function whatsAppTasks(dependencies: Dependencies): Tasks {
  const { check, checks, deliveries, inbox, removeMessages, mailer, publicUrl, log } = dependencies
  return {
    [CHECK_TASK]: {
      lane: 'maintenance',
      async run(payload) {
        await check?.(OfPharmacy.parse(payload).pharmacyId)
      },
    },
    [MAIL_TASK]: {
      lane: 'delivery',
      async run(payload) {
        const { pharmacyId, mail } = MailJob.parse(payload)
        const to = await checks.recipient(pharmacyId)
        if (!to) return
        try {
          await mailer.send({ to: to.email, ...writeWhatsAppMail(mail, to.name, publicUrl) })
        } catch (error) {
          if (!(error instanceof MailerError) || error.kind === 'unavailable') throw error
          log.warn({ err: error, mail: mail.kind }, 'a mail was refused')
        }
      },
    },
    [WHATSAPP_DAY_TASK]: {
      lane: 'maintenance',
      async run() {
        const connections = check ? await checks.enqueueChecks() : 0
        const removed = await deliveries.removeOld()
        await inbox.removeOld()
        const messages = await removeMessages()
        log.info({ connections, removed, messages }, 'the day of WhatsApp has begun')
      },
    },
  }
}
