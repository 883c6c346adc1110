import { dayOf, formatShortDay } from '@bancone/contract/dates'
import { paths } from '@bancone/contract/pages'
import { WhatsAppState } from '@bancone/contract/whatsapp'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { enqueue } from '../../platform/jobs.ts'
import { htmlOf, type MailContent, textOf } from '../../platform/mails/mail-layout.ts'
import type { Mail } from '../../ports/mailer.ts'

export const MAIL_TASK = 'whatsapp.mail'

const WhatsAppMail = z.discriminatedUnion('kind', [
  /** The authorization expires soon. */
  z.object({ kind: z.literal('expiry'), expiresAt: z.string() }),
  /** The number does not work any more. */
  z.object({ kind: z.literal('lost'), state: WhatsAppState }),
  /** Bancone has switched the messages off. */
  z.object({ kind: z.literal('stopped'), reason: z.enum(['restricted', 'policy']) }),
])
export type WhatsAppMail = z.infer<typeof WhatsAppMail>

export const MailJob = z.object({ pharmacyId: z.uuid(), mail: WhatsAppMail })

/** Adds the mail in the transaction of what it tells. */
export function enqueueMail(tx: Database, pharmacyId: string, mail: WhatsAppMail): Promise<void> {
  const key = `${MAIL_TASK}:${pharmacyId}:${mail.kind}`
  return enqueue(tx, MAIL_TASK, { pharmacyId, mail }, { key })
}

const reasons: Partial<Record<WhatsAppState, string>> = {
  needs_reauth: "L'autorizzazione di Meta non è più valida.",
  restricted: 'Meta ha limitato il numero o il suo account.',
  disconnected: "L'accesso di Bancone è stato tolto da Meta.",
}

const stopReasons = {
  restricted: "Meta ha limitato l'account WhatsApp Business della farmacia.",
  policy: 'Meta ha rifiutato più messaggi perché contrari alle sue regole.',
}

type Words = Pick<MailContent, 'subject' | 'preview' | 'title' | 'paragraphs'>

function wordsOf(mail: WhatsAppMail): Words {
  if (mail.kind === 'stopped') {
    const reason = stopReasons[mail.reason]
    return {
      subject: 'WhatsApp: i messaggi ai clienti sono stati fermati',
      preview: reason,
      title: 'I messaggi ai clienti sono stati fermati',
      paragraphs: [
        reason,
        'Gli avvisi che aspettavano non partiranno. Controlla il motivo in Gestione WhatsApp, poi attiva di nuovo i messaggi dalla pagina WhatsApp.',
      ],
    }
  }
  if (mail.kind === 'expiry') {
    const day = formatShortDay(dayOf(Date.parse(mail.expiresAt)))
    return {
      subject: "WhatsApp: l'autorizzazione sta per scadere",
      preview: `Scade il ${day}.`,
      title: "L'autorizzazione di WhatsApp sta per scadere",
      paragraphs: [
        `Il collegamento del numero WhatsApp con Bancone scade il ${day}. Dopo, Bancone non potrà più usarlo.`,
        'Per rinnovarlo apri la pagina WhatsApp, premi «Ricollega» e scegli lo stesso numero.',
      ],
    }
  }
  const reason = reasons[mail.state] ?? 'Il collegamento si è interrotto.'
  return {
    subject: 'WhatsApp: il numero non è più collegato',
    preview: reason,
    title: 'Il numero WhatsApp non è più collegato',
    paragraphs: [
      reason,
      'La pagina WhatsApp dice che cosa è successo e come ricollegare il numero.',
    ],
  }
}

/** The mail in Italian. @param publicUrl the base URL of the application */
export function writeWhatsAppMail(
  mail: WhatsAppMail,
  pharmacy: string,
  publicUrl: string,
): Omit<Mail, 'to'> {
  const content: MailContent = {
    ...wordsOf(mail),
    pharmacy,
    button: { label: 'Apri la pagina WhatsApp', link: publicUrl + paths.whatsapp },
    notes: ['Può farlo solo un titolare della farmacia.'],
  }
  return { subject: content.subject, text: textOf(content), html: htmlOf(content) }
}
