import { z } from 'zod'
import type { Tasks } from '../../platform/jobs.ts'
import { MailerError } from '../../ports/mailer.ts'
import { SEND_TASK } from './messages/outbox.store.ts'
import { CHECK_TASK } from './stored-connection.store.ts'
import type { createEventProcessing } from './webhook/event-processing.ts'
import { INBOX_TASK } from './webhook/inbox.store.ts'
import type { WhatsAppContext } from './whatsapp.context.ts'
import type { CheckConnection } from './whatsapp-check.ts'
import { MAIL_TASK, MailJob, writeWhatsAppMail } from './whatsapp-mails.ts'

export const WHATSAPP_DAY_TASK = 'whatsapp.day'

/** Webhooks of one job. The next job runs after those that wait for a worker meanwhile. */
const PER_JOB = 200

const OfPharmacy = z.object({ pharmacyId: z.uuid() })
const OfMessage = z.object({ pharmacyId: z.uuid(), messageId: z.uuid() })

type Work = {
  /** Undefined: Meta is not configured. */
  check: CheckConnection | undefined
  send: ((pharmacyId: string, messageId: string) => Promise<void>) | undefined
  process: ReturnType<typeof createEventProcessing>
}

export function whatsAppTasks(context: WhatsAppContext, { check, send, process }: Work): Tasks {
  const { events, deliveries, inbox, outbox, contacts, inbound, mailer, publicUrl, log } = context
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
        const to = await events.recipient(pharmacyId)
        if (!to) return
        try {
          await mailer.send({ to: to.email, ...writeWhatsAppMail(mail, to.name, publicUrl) })
        } catch (error) {
          if (!(error instanceof MailerError) || error.kind === 'unavailable') throw error
          log.warn({ err: error, mail: mail.kind }, 'a mail was refused')
        }
      },
    },
    [SEND_TASK]: {
      lane: 'delivery',
      async run(payload) {
        const { pharmacyId, messageId } = OfMessage.parse(payload)
        await send?.(pharmacyId, messageId)
      },
    },
    [INBOX_TASK]: {
      lane: 'delivery',
      async run(_payload, signal) {
        let failures = 0
        for (let done = 0; done < PER_JOB; done += 1) {
          // The webhooks that are left wait for the next job.
          if (signal?.aborted) break
          const outcome = await inbox.processNext(process, (error, isGivenUp) =>
            log.warn({ err: error, isGivenUp }, 'a webhook of WhatsApp was not processed'),
          )
          if (outcome === 'failed') failures += 1
          // Webhooks that fail come last.
          if (outcome === 'none' || failures > 5) {
            if (failures > 0) throw new Error('webhooks of WhatsApp were not processed')
            return
          }
        }
        if (failures > 0) throw new Error('webhooks of WhatsApp were not processed')
        await inbox.enqueue()
      },
    },
    [WHATSAPP_DAY_TASK]: {
      lane: 'maintenance',
      async run() {
        const connections = check ? await events.enqueueChecks() : 0
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
