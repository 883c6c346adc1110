import { Closing, OpeningWeek } from '@bancone/contract/opening-hours'
import { openingState } from '@bancone/contract/opening-state'
import { INITIAL_DAILY_LIMIT, type WhatsAppMessages } from '@bancone/contract/whatsapp-messages'
import { whatsAppTerms, whatsAppTermsText } from '@bancone/contract/whatsapp-terms'
import { sql } from 'kysely'
import { z } from 'zod'
import { AppError } from '../../../base/app-error.ts'
import type { Database } from '../../../database/database.ts'
import { lockPharmacy } from '../../../database/row-limit.ts'
import { createAudit } from '../../../platform/audit.ts'
import { enqueue } from '../../../platform/jobs.ts'
import type { TemplateFacts } from '../../../ports/whatsapp-business.ts'
import { MAX_POLICY_ERRORS } from './messages.rules.ts'

type Chosen = Pick<
  WhatsAppMessages,
  | 'announcesReady'
  | 'sendsReminders'
  | 'answersClosed'
  | 'sendsLinks'
  | 'sendsCalls'
  | 'saysTu'
  | 'dailyLimit'
  | 'monthlyLimit'
  | 'messagePrice'
>
type Stored = Chosen & {
  isOn: boolean
  termsVersion: number
  stoppedFor: WhatsAppMessages['stoppedFor']
  /** ISO 8601. */
  pausedUntil: string | null
}

const initial: Stored = {
  isOn: false,
  termsVersion: 0,
  announcesReady: false,
  sendsReminders: false,
  answersClosed: false,
  sendsLinks: false,
  sendsCalls: false,
  saysTu: false,
  dailyLimit: INITIAL_DAILY_LIMIT,
  monthlyLimit: null,
  messagePrice: null,
  stoppedFor: null,
  pausedUntil: null,
}

async function stored(db: Database, pharmacyId: string): Promise<Stored | undefined> {
  return db
    .selectFrom('whatsapp_message_settings')
    .select([
      'is_on as isOn',
      'terms_version as termsVersion',
      'announces_ready as announcesReady',
      'sends_reminders as sendsReminders',
      'answers_closed as answersClosed',
      'sends_links as sendsLinks',
      'sends_calls as sendsCalls',
      'says_tu as saysTu',
      'daily_limit as dailyLimit',
      'monthly_limit as monthlyLimit',
      'message_price as messagePrice',
      sql<Stored['stoppedFor']>`stopped_for`.as('stoppedFor'),
      'paused_until as pausedUntil',
    ])
    .where('pharmacy_id', '=', pharmacyId)
    .executeTakeFirst()
}

const Closings = z.array(Closing)

/** The settings of a pharmacy that has some. `isOn`: switched on, with the present terms accepted. */
export async function messageSettings(db: Database, pharmacyId: string) {
  const settings = await stored(db, pharmacyId)
  if (!settings) return undefined
  return { ...settings, isOn: settings.isOn && settings.termsVersion === whatsAppTerms.version }
}

/** The transactions that lock them run one after the other. */
export async function lockMessageSettings(tx: Database, pharmacyId: string): Promise<void> {
  await tx
    .selectFrom('whatsapp_message_settings')
    .select('pharmacy_id')
    .where('pharmacy_id', '=', pharmacyId)
    .forUpdate()
    .execute()
}

/** Whether and what a pharmacy sends. The only writer of `whatsapp_message_settings` and `whatsapp_acceptances`. */
export function createMessageSettingsStore(db: Database) {
  /** Changes the settings, with the event of the audit log. */
  function change(
    pharmacyId: string,
    action: 'whatsapp_terms_accepted' | 'whatsapp_messages_off' | 'whatsapp_messages_changed',
    of: (before: Stored) => Stored,
    also: (tx: Database) => Promise<unknown>,
  ): Promise<void> {
    return db.transaction().execute(async (tx) => {
      await lockPharmacy(tx, pharmacyId)
      const before = (await stored(tx, pharmacyId)) ?? initial
      const after = of(before)
      const row = {
        is_on: after.isOn,
        terms_version: after.termsVersion,
        announces_ready: after.announcesReady,
        sends_reminders: after.sendsReminders,
        answers_closed: after.answersClosed,
        sends_links: after.sendsLinks,
        sends_calls: after.sendsCalls,
        says_tu: after.saysTu,
        daily_limit: after.dailyLimit,
        monthly_limit: after.monthlyLimit,
        message_price: after.messagePrice,
        stopped_for: after.stoppedFor,
        ...(after.isOn && !before.isOn && { policy_errors: 0, paused_until: null }),
      }
      await tx
        .insertInto('whatsapp_message_settings')
        .values({ pharmacy_id: pharmacyId, ...row })
        .onConflict((conflict) => conflict.column('pharmacy_id').doUpdateSet(row))
        .execute()
      await also(tx)
      await createAudit(tx).recordChange(tx, {
        action,
        pharmacyId,
        target: { type: 'pharmacy', id: pharmacyId },
        before,
        after,
      })
    })
  }

  return {
    /** @param tx the transaction that depends on it */
    async load(tx: Database, pharmacyId: string): Promise<Stored> {
      return (await messageSettings(tx, pharmacyId)) ?? initial
    },

    /** The latest acceptance of the terms. */
    async acceptance(pharmacyId: string): Promise<WhatsAppMessages['acceptance']> {
      const row = await db
        .selectFrom('whatsapp_acceptances as acceptance')
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'acceptance.pharmacy_id')
        .select([
          'acceptance.version',
          'acceptance.accepted_at as at',
          sql<string | null>`coalesce(
            person_name(acceptance.accepted_by, pharmacy.id), pharmacy.name)`.as('by'),
        ])
        .where('acceptance.pharmacy_id', '=', pharmacyId)
        .orderBy('acceptance.id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row ?? null
    },

    /**
     * When the pharmacy opens: milliseconds since 1970; null while it is open. Undefined: its hours, or its next opening, are
     * not known.
     */
    async opensAt(pharmacyId: string, now: number): Promise<number | null | undefined> {
      const row = await db
        .selectFrom('pharmacy_profiles')
        .select(['opening_week', 'closings'])
        .where('pharmacy_id', '=', pharmacyId)
        .where('opening_week', 'is not', null)
        .executeTakeFirst()
      if (!row) return undefined
      const week = OpeningWeek.parse(row.opening_week)
      const { isOpen, changesAt } = openingState(week, Closings.parse(row.closings), now)
      return isOpen ? null : (changesAt ?? undefined)
    },

    async pharmacyName(tx: Database, pharmacyId: string): Promise<string> {
      const { name } = await tx
        .selectFrom('pharmacies')
        .select('name')
        .where('id', '=', pharmacyId)
        .executeTakeFirstOrThrow()
      return name
    },

    /** Stores the acceptance of the present terms with their text, and switches the messages on. */
    accept(pharmacyId: string, userId: string): Promise<void> {
      return change(
        pharmacyId,
        'whatsapp_terms_accepted',
        (before) => ({
          ...before,
          isOn: true,
          termsVersion: whatsAppTerms.version,
          stoppedFor: null,
        }),
        (tx) =>
          tx
            .insertInto('whatsapp_acceptances')
            .values({
              pharmacy_id: pharmacyId,
              version: whatsAppTerms.version,
              text: whatsAppTermsText,
              accepted_by: userId,
            })
            .execute(),
      )
    },

    /** @param also what ends with the messages, in the same transaction */
    switchOff(
      pharmacyId: string,
      also: (tx: Database) => Promise<unknown>,
      stoppedFor: Stored['stoppedFor'] = null,
    ): Promise<void> {
      return change(
        pharmacyId,
        'whatsapp_messages_off',
        (before) => ({ ...before, isOn: false, stoppedFor }),
        also,
      )
    },

    /** @throws AppError `whatsapp.messages_off` */
    change(pharmacyId: string, chosen: Chosen): Promise<void> {
      return change(
        pharmacyId,
        'whatsapp_messages_changed',
        (before) => {
          if (!before.isOn) throw new AppError('whatsapp.messages_off')
          return { ...before, ...chosen }
        },
        async () => {},
      )
    },

    /** Sends nothing of this pharmacy until then. @param until milliseconds since 1970 */
    async pause(tx: Database, pharmacyId: string, until: number): Promise<void> {
      await tx
        .updateTable('whatsapp_message_settings')
        .set({ paused_until: new Date(until).toISOString() })
        .where('pharmacy_id', '=', pharmacyId)
        .execute()
    },

    /** Counts a refusal of Meta's policy. @returns whether there were too many */
    async countPolicyError(pharmacyId: string): Promise<boolean> {
      const row = await db
        .updateTable('whatsapp_message_settings')
        .set({ policy_errors: sql<number>`policy_errors + 1` })
        .where('pharmacy_id', '=', pharmacyId)
        .returning('policy_errors')
        .executeTakeFirst()
      return (row?.policy_errors ?? 0) >= MAX_POLICY_ERRORS
    },
  }
}

export const TEMPLATES_TASK = 'whatsapp.templates'

export function enqueueTemplates(db: Database, pharmacyId: string): Promise<void> {
  const key = `${TEMPLATES_TASK}:${pharmacyId}`
  return enqueue(db, TEMPLATES_TASK, { pharmacyId }, { key })
}

/** What Meta says of the templates. The only writer of `whatsapp_templates`. */
export function createTemplatesStore(db: Database) {
  return {
    async list(pharmacyId: string): Promise<TemplateFacts[]> {
      return db
        .selectFrom('whatsapp_templates')
        .select(['name', 'status', 'category'])
        .where('pharmacy_id', '=', pharmacyId)
        .execute()
    },

    async save(tx: Database, pharmacyId: string, templates: readonly TemplateFacts[]) {
      await tx.deleteFrom('whatsapp_templates').where('pharmacy_id', '=', pharmacyId).execute()
      if (templates.length === 0) return
      await tx
        .insertInto('whatsapp_templates')
        .values(templates.map((template) => ({ pharmacy_id: pharmacyId, ...template })))
        .execute()
    },

    /** Meta has refused a message because of its template. */
    async markStale(tx: Database, pharmacyId: string, name: string): Promise<void> {
      await tx
        .updateTable('whatsapp_templates')
        .set({ status: 'UNKNOWN', checked_at: sql<string>`now()` })
        .where('pharmacy_id', '=', pharmacyId)
        .where('name', '=', name)
        .execute()
    },
  }
}
