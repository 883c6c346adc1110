import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { TemplateFacts } from '../../../ports/whatsapp-business.ts'

export type TemplatesStore = ReturnType<typeof createTemplatesStore>

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
    async distrust(tx: Database, pharmacyId: string, name: string): Promise<void> {
      await tx
        .updateTable('whatsapp_templates')
        .set({ status: 'UNKNOWN', checked_at: sql<string>`now()` })
        .where('pharmacy_id', '=', pharmacyId)
        .where('name', '=', name)
        .execute()
    },
  }
}
