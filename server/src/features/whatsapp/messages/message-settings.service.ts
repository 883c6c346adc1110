import { publicOffersPath } from '@bancone/contract/pages'
import { NoticeKind, type WhatsAppMessages } from '@bancone/contract/whatsapp-messages'
import { whatsAppTerms } from '@bancone/contract/whatsapp-terms'
import { z } from 'zod'
import { AppError } from '../../../base/app-error.ts'
import type { Tasks } from '../../../platform/jobs.ts'
import type { NewTemplate, WhatsAppBusiness } from '../../../ports/whatsapp-business.ts'
import type { WhatsAppContext } from '../whatsapp.context.ts'
import { noticeCounts, usageOfMonth } from './message-counts.store.ts'
import { enqueueTemplates, TEMPLATES_TASK } from './message-settings.store.ts'
import { filled, type Notice, noticeTexts } from './notice-texts.rules.ts'

const OfPharmacy = z.object({ pharmacyId: z.uuid() })

/** Where the button of a template leads, without the pharmacy. */
const buttonUrl = (publicUrl: string) => publicUrl + publicOffersPath('')

function templateOf({ name, body, samples, button }: Notice, publicUrl: string): NewTemplate {
  return {
    name,
    body,
    samples,
    ...(button && { button: { label: button, url: buttonUrl(publicUrl), sample: 'PHARM-0001' } }),
  }
}

/** The kinds of notices that a pharmacy sends. */
function kindsOf({
  answersClosed,
  sendsLinks,
  sendsCalls,
}: Pick<WhatsAppMessages, 'answersClosed' | 'sendsLinks' | 'sendsCalls'>) {
  const always = { ready: true, part: true, reminder: true }
  const isSent = { ...always, received: answersClosed, link: sendsLinks, call: sendsCalls }
  return NoticeKind.options.filter((kind) => isSent[kind])
}

/** The text with sample values, and its button. */
function previewOf({ body, samples, button }: Notice): string {
  const text = filled(body, samples)
  return button ? `${text}\n[${button}]` : text
}

/** The job that reads the templates of a pharmacy at Meta and creates those that are missing. */
export function templateTasks(
  { db, connections, settings, templates, outbox, sealing, publicUrl, clock }: WhatsAppContext,
  business: Pick<WhatsAppBusiness, 'templates' | 'createTemplate'> | undefined,
): Tasks {
  return {
    [TEMPLATES_TASK]: {
      lane: 'delivery',
      async run(payload) {
        const { pharmacyId } = OfPharmacy.parse(payload)
        const current = await settings.load(db, pharmacyId)
        const stored = await connections.load(pharmacyId)
        const token = stored && sealing.open(pharmacyId, 'token', stored.token, stored.keyId)
        if (!business || !current.isOn || !stored?.wabaId || token === undefined) return
        const wanted = kindsOf(current).map((kind) =>
          templateOf(noticeTexts(current.saysTu)[kind], publicUrl),
        )
        const found = await business.templates(token, stored.wabaId)
        const known = found.filter(({ name }) => wanted.some((each) => each.name === name))
        for (const template of wanted) {
          if (known.some(({ name }) => name === template.name)) continue
          known.push(await business.createTemplate(token, stored.wabaId, template))
        }
        await db.transaction().execute(async (tx) => {
          await templates.save(tx, pharmacyId, known)
          await outbox.wake(tx, pharmacyId, ['template'], clock.now())
        })
      },
    },
  }
}

type Chosen = Parameters<WhatsAppContext['settings']['change']>[1]

/** The switch and the settings of the messages. */
export function createMessageSettings(context: WhatsAppContext) {
  const { db, settings, templates, connections, outbox, clock } = context
  async function get(pharmacyId: string): Promise<WhatsAppMessages> {
    const current = await settings.load(db, pharmacyId)
    const known = await templates.list(pharmacyId)
    const shown = (kind: NoticeKind) => {
      const notice = noticeTexts(current.saysTu)[kind]
      const { name } = notice
      const found = known.find((template) => template.name === name)
      const { status = null, category = null } = found ?? {}
      return { name, kind, preview: previewOf(notice), status, category }
    }
    const { sentToday, waiting } = await noticeCounts(db, pharmacyId)
    return {
      ...current,
      acceptance: await settings.acceptance(pharmacyId),
      sentToday,
      waiting,
      usage: await usageOfMonth(db, pharmacyId),
      hasOpeningHours: (await settings.opensAt(pharmacyId, clock.now())) !== undefined,
      templates: kindsOf(current).map(shown),
    }
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
