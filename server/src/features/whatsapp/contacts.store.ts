import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { rethrowViolationAs } from '../../database/errors.ts'

/** Who a message is from. At least one of the ids is known; `phone` is E.164. */
export type Sender = { userId: string | null; phone: string | null; name: string | null }

type Identity = Pick<Sender, 'userId' | 'phone'>

type Found = { id: string; userId: string | null; phone: string | null }

const columns = ['id', 'user_id as userId', 'phone'] as const

async function find(tx: Database, pharmacyId: string, by: keyof Identity, value: string | null) {
  if (value === null) return undefined
  return tx
    .selectFrom('whatsapp_contacts')
    .select(columns)
    .where('pharmacy_id', '=', pharmacyId)
    .where(by === 'userId' ? 'user_id' : 'phone', '=', value)
    .executeTakeFirst()
}

async function findPerson(tx: Database, pharmacyId: string, { userId, phone }: Identity) {
  return (
    (await find(tx, pharmacyId, 'userId', userId)) ?? (await find(tx, pharmacyId, 'phone', phone))
  )
}

/** What refers to a contact. */
const REFERRING = [
  'whatsapp_consents',
  'whatsapp_outbox',
  'whatsapp_inbound',
  'whatsapp_order_contacts',
] as const

const contactColumns = [
  'id',
  'user_id as userId',
  'phone',
  'name',
  'last_inbound_at as lastInboundAt',
  'unreachable_at as unreachableAt',
  'paused_until as pausedUntil',
] as const

/** Days after which a contact is removed of whom nothing is kept. */
const KEPT_DAYS = 365

function updateOf(db: Database, pharmacyId: string, id: string) {
  return db
    .updateTable('whatsapp_contacts')
    .where('pharmacy_id', '=', pharmacyId)
    .where('id', '=', id)
}

/** Concurrent changes of a pharmacy's contacts run one after the other, because one may merge two of them. */
export async function lockContacts(tx: Database, pharmacyId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('whatsapp contacts ' || ${pharmacyId}::text, 0))`.execute(
    tx,
  )
}

/**
 * Deletes a contact with its messages, consents and links to orders.
 *
 * @param tx a transaction that has locked the contacts of the pharmacy
 */
export async function deleteContact(tx: Database, pharmacyId: string, contactId: string) {
  await tx
    .deleteFrom('whatsapp_contacts')
    .where('pharmacy_id', '=', pharmacyId)
    .where('id', '=', contactId)
    .execute()
}

/**
 * The contact with these ids, of which the older one has stayed. A number that belonged to another person is taken from
 * them: numbers are given to new owners.
 */
async function join(tx: Database, pharmacyId: string, { userId, phone }: Identity, kept?: Found) {
  const byUser = await find(tx, pharmacyId, 'userId', userId)
  const byPhone = await find(tx, pharmacyId, 'phone', phone)
  const isSamePerson =
    byPhone !== undefined &&
    (byPhone.userId === null || userId === null || byPhone.userId === userId)
  const contact = kept ?? byUser ?? (isSamePerson ? byPhone : undefined)
  for (const other of [byUser, byPhone]) {
    if (!other || other.id === contact?.id) continue
    const isDuplicate = other === byUser || other.userId === null
    if (isDuplicate) await absorb(tx, pharmacyId, contact?.id, other.id)
    else {
      await updateOf(tx, pharmacyId, other.id).set({ phone: null }).execute()
    }
  }
  if (contact) {
    await updateOf(tx, pharmacyId, contact.id)
      .set({ ...(userId !== null && { user_id: userId }), ...(phone !== null && { phone }) })
      .execute()
    return contact.id
  }
  const made = await tx
    .insertInto('whatsapp_contacts')
    .values({ pharmacy_id: pharmacyId, user_id: userId, phone })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

/** Removes a duplicate, after what refers to it has been moved: two contacts are one person. */
async function absorb(
  tx: Database,
  pharmacyId: string,
  keptId: string | undefined,
  goneId: string,
): Promise<void> {
  for (const table of keptId === undefined ? [] : REFERRING) {
    await tx
      .updateTable(table)
      .set({ contact_id: keptId })
      .where('pharmacy_id', '=', pharmacyId)
      .where('contact_id', '=', goneId)
      .execute()
  }
  const gone = await tx
    .deleteFrom('whatsapp_contacts')
    .where('pharmacy_id', '=', pharmacyId)
    .where('id', '=', goneId)
    .returning(['phone', 'name', 'first_seen_at', 'last_inbound_at', 'paused_until'])
    .executeTakeFirst()
  if (!gone || keptId === undefined) return
  await updateOf(tx, pharmacyId, keptId)
    .set({
      phone: sql<string | null>`coalesce(phone, ${gone.phone})`,
      name: sql<string | null>`coalesce(name, ${gone.name})`,
      first_seen_at: sql<string>`least(first_seen_at, ${gone.first_seen_at}::timestamptz)`,
      last_inbound_at: sql<string>`greatest(last_inbound_at, ${gone.last_inbound_at}::timestamptz)`,
      paused_until: sql<string>`greatest(paused_until, ${gone.paused_until}::timestamptz)`,
    })
    .execute()
}

/**
 * An erasure has deleted the contact for whom a row is added.
 * @throws AppError `orders.changed_meanwhile`, or the error itself
 */
export const rethrowErased = rethrowViolationAs(
  'orders.changed_meanwhile',
  'whatsapp_consents__contact',
  'whatsapp_order_contacts__contact',
  'whatsapp_outbox__contact',
)

export type ContactsStore = ReturnType<typeof createContactsStore>

/** A contact as far as messages depend on it. Times are ISO 8601. */
export type Contact = NonNullable<Awaited<ReturnType<ContactsStore['load']>>>

/**
 * The only writer of `whatsapp_contacts`, which moves what refers to two of them that are one person. A contact is found by its business-scoped user id first, by its number second.
 */
export function createContactsStore(db: Database) {
  const contactsOf = (pharmacyId: string) =>
    db.selectFrom('whatsapp_contacts').select(contactColumns).where('pharmacy_id', '=', pharmacyId)

  return {
    lock: lockContacts,

    load: (pharmacyId: string, contactId: string) =>
      contactsOf(pharmacyId).where('id', '=', contactId).executeTakeFirst(),

    /** @param phone E.164 */
    ofPhone: (pharmacyId: string, phone: string) =>
      contactsOf(pharmacyId).where('phone', '=', phone).executeTakeFirst(),

    /**
     * The contact with that number, which is added where there is none. @param tx a transaction that has locked the contacts
     */
    async ensure(tx: Database, pharmacyId: string, phone: string): Promise<string> {
      return join(tx, pharmacyId, { userId: null, phone })
    },

    /** The id of a contact, if that person is known. @param tx the transaction in which a webhook is processed */
    async known(tx: Database, pharmacyId: string, person: Identity): Promise<string | undefined> {
      await lockContacts(tx, pharmacyId)
      return (await findPerson(tx, pharmacyId, person))?.id
    },

    /** The staff have read what the contact wrote. @param until ISO 8601; an earlier time than before changes nothing */
    async markRead(pharmacyId: string, contactId: string, until: string): Promise<void> {
      await updateOf(db, pharmacyId, contactId)
        .set({
          read_at: sql<string>`greatest(read_at, least(${until}::timestamptz, last_inbound_at))`,
        })
        .execute()
    },

    /** @param set `unreachable`: the number has no WhatsApp; a time: no notices until then (milliseconds since 1970) */
    async mark(
      tx: Database,
      pharmacyId: string,
      contactId: string,
      set: 'unreachable' | { pausedUntil: number },
    ): Promise<void> {
      await updateOf(tx, pharmacyId, contactId)
        .set(
          set === 'unreachable'
            ? { unreachable_at: sql<string>`now()` }
            : { paused_until: new Date(set.pausedUntil).toISOString() },
        )
        .execute()
    },

    /** Removes those who have written long ago, and of whom neither a consent nor an order is kept. */
    async removeOld(): Promise<void> {
      await sql`delete from whatsapp_contacts as contact
        where greatest(first_seen_at, last_inbound_at) < now() - make_interval(days => ${KEPT_DAYS})
          and not exists (
            select from whatsapp_consents where pharmacy_id = contact.pharmacy_id and contact_id = contact.id
          )
          and not exists (
            select from whatsapp_order_contacts where pharmacy_id = contact.pharmacy_id and contact_id = contact.id
          )`.execute(db)
    },

    /** Notes a message. @param at when it was sent, ISO 8601. @returns the id of the contact */
    async noteInbound(tx: Database, pharmacyId: string, sender: Sender, at: string) {
      await lockContacts(tx, pharmacyId)
      const id = await join(tx, pharmacyId, sender)
      await updateOf(tx, pharmacyId, id)
        .set({
          ...(sender.name !== null && { name: sender.name }),
          last_inbound_at: sql<string>`greatest(last_inbound_at, ${at}::timestamptz)`,
          // A person who writes has WhatsApp.
          unreachable_at: null,
        })
        .execute()
      return id
    },

    /** A person has got another id or number. Nothing happens when the person is not known. */
    async change(tx: Database, pharmacyId: string, before: Identity, after: Identity) {
      await lockContacts(tx, pharmacyId)
      const known = await findPerson(tx, pharmacyId, before)
      if (known) await join(tx, pharmacyId, after, known)
    },
  }
}
