import type { Consent } from '@bancone/contract/whatsapp-orders'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'

/** How a consent or a withdrawal came about. */
export type ConsentSource =
  | { channel: 'counter'; userId: string; at: string }
  | { channel: 'message'; metaId: string; at: string }

export type NewConsent = {
  isGiven: boolean
  wordingVersion: number
  wording: string
  source: ConsentSource
}

/** The most consents that are shown of a person. */
const SHOWN = 20

/** Meta tells the second of a message only: in one second a withdrawal counts. */
const second = sql`date_trunc('second', at)`

/** Rows are only added: the latest of a contact counts. The only writer of `whatsapp_consents`. */
export function createConsentsStore(db: Database) {
  /** Whether the contact wants notices; undefined when neither a consent nor a withdrawal is known. */
  async function latest(tx: Database, pharmacyId: string, contactId: string) {
    const row = await tx
      .selectFrom('whatsapp_consents')
      .select('is_given')
      .where('pharmacy_id', '=', pharmacyId)
      .where('contact_id', '=', contactId)
      .orderBy(second, 'desc')
      .orderBy('is_given')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row?.is_given
  }

  return {
    latest,

    /**
     * Adds a consent or a withdrawal, unless the latest says the same.
     *
     * @param tx a transaction that has locked the contacts of the pharmacy, or the pharmacy
     * @returns the id of the row; undefined when nothing has changed
     */
    async record(
      tx: Database,
      pharmacyId: string,
      contactId: string,
      { isGiven, wordingVersion, wording, source }: NewConsent,
    ): Promise<string | undefined> {
      if ((await latest(tx, pharmacyId, contactId)) === isGiven) return undefined
      const row = await tx
        .insertInto('whatsapp_consents')
        .values({
          pharmacy_id: pharmacyId,
          contact_id: contactId,
          is_given: isGiven,
          wording_version: wordingVersion,
          wording,
          channel: source.channel,
          at: source.at,
          ...(source.channel === 'counter'
            ? { recorded_by: source.userId }
            : { message_id: source.metaId }),
        })
        // The same message in another webhook.
        .onConflict((conflict) =>
          conflict.constraint('whatsapp_consents__once_of_message').doNothing(),
        )
        .returning('id')
        .executeTakeFirst()
      // An older message that comes late changes nothing.
      return (await latest(tx, pharmacyId, contactId)) === isGiven ? row?.id : undefined
    },

    /** Newest first. */
    list(pharmacyId: string, contactId: string): Promise<Consent[]> {
      return db
        .selectFrom('whatsapp_consents as consent')
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'consent.pharmacy_id')
        .select([
          'consent.is_given as isGiven',
          sql<Consent['channel']>`consent.channel`.as('channel'),
          'consent.at',
          'consent.wording',
          sql<string | null>`case when consent.recorded_by is not null
            then coalesce(person_name(consent.recorded_by, pharmacy.id), pharmacy.name) end`.as(
            'by',
          ),
        ])
        .where('consent.pharmacy_id', '=', pharmacyId)
        .where('consent.contact_id', '=', contactId)
        .orderBy(second, 'desc')
        .orderBy('consent.is_given')
        .orderBy('consent.id', 'desc')
        .limit(SHOWN)
        .execute()
    },
  }
}
