import { z } from 'zod'
import type { Tasks } from '../../platform/jobs.ts'
import { MailerError } from '../../ports/mailer.ts'
import { CHECK_TASK } from './stored-connection.store.ts'
import type { WhatsAppContext } from './whatsapp.context.ts'
import type { CheckConnection } from './whatsapp-check.ts'
import { MAIL_TASK, MailJob, writeWhatsAppMail } from './whatsapp-mails.ts'

export const WHATSAPP_DAY_TASK = 'whatsapp.day'

const OfPharmacy = z.object({ pharmacyId: z.uuid() })

/** @param check undefined: Meta is not configured */
export function whatsAppTasks(context: WhatsAppContext, check: CheckConnection | undefined): Tasks {
  const { connectionEvents, deliveries, inbox, outbox, contacts, inbound, mailer, publicUrl, log } =
    context
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
        const to = await connectionEvents.recipient(pharmacyId)
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
        const connections = check ? await connectionEvents.enqueueChecks() : 0
        const removed = await deliveries.removeOld()
        await inbox.removeOld()
        await outbox.removeOld()
        await contacts.removeOld()
        const messages = await inbound.removeOld()
        log.info({ connections, removed, messages }, 'the day of WhatsApp has begun')
      },
    },
  }
}
