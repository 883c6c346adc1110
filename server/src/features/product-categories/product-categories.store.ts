import {
  type AdminCategory,
  type Category,
  type CategoryFields,
  RegulatoryClass,
} from '@bancone/contract/product-categories'
import { sql } from 'kysely'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import { rethrowViolationAs } from '../../database/errors.ts'
import type { Audit } from '../../platform/audit.ts'

export type ProductCategoriesStore = ReturnType<typeof createProductCategoriesStore>

/** The only writer of `product_categories`, which all pharmacies share. Offers follow a new name by their foreign key. */
export function createProductCategoriesStore(db: Database, audit: Pick<Audit, 'recordChange'>) {
  return {
    /** In the order in which they are listed. */
    async list(): Promise<Category[]> {
      const rows = await db
        .selectFrom('product_categories')
        .select(['id', 'name', 'regulatory_class'])
        .orderBy('position')
        .orderBy('name')
        .execute()
      return rows.map(({ id, name, regulatory_class }) => ({
        id,
        name,
        regulatoryClass: RegulatoryClass.parse(regulatory_class),
      }))
    },

    /** By name, with the number of their offers. */
    async administered(): Promise<AdminCategory[]> {
      const rows = await categories(db).orderBy(sql`lower(category.name)`).execute()
      return rows.map(categoryOf)
    },

    insert(fields: CategoryFields): Promise<AdminCategory> {
      return db.transaction().execute(async (tx) => {
        const { id } = await tx
          .insertInto('product_categories')
          .values(fields)
          .returning('id')
          .executeTakeFirstOrThrow()
          .catch(nameTaken)
        const change = { pharmacyId: null, target: { type: 'category', id }, after: fields }
        await audit.recordChange(tx, { action: 'category_created', ...change })
        return find(tx, id)
      })
    },

    update(categoryId: string, after: CategoryFields): Promise<AdminCategory> {
      return db.transaction().execute(async (tx) => {
        await sql`select from product_categories where id = ${categoryId} for update`.execute(tx)
        const before = fieldsOf(await find(tx, categoryId))
        await tx
          .updateTable('product_categories')
          .set({ ...after, updated_at: sql<string>`now()` })
          .where('id', '=', categoryId)
          .execute()
          .catch(nameTaken)
        const target = { type: 'category', id: categoryId }
        const change = { action: 'category_changed', pharmacyId: null, target } as const
        await audit.recordChange(tx, { ...change, before, after })
        return find(tx, categoryId)
      })
    },

    /** @throws AppError `categories.in_use` with the number of offers in it */
    remove(categoryId: string): Promise<void> {
      return db.transaction().execute(async (tx) => {
        // Locked, so that no offer gets the category meanwhile.
        await sql`select from product_categories where id = ${categoryId} for update`.execute(tx)
        const category = await find(tx, categoryId)
        const { offers } = category
        if (offers > 0) throw new AppError('categories.in_use', { details: { offers } })
        await tx.deleteFrom('product_categories').where('id', '=', categoryId).execute()
        const target = { type: 'category', id: categoryId }
        const change = { action: 'category_deleted', pharmacyId: null, target } as const
        await audit.recordChange(tx, { ...change, before: fieldsOf(category) })
      })
    },
  }
}

function categories(db: Database) {
  return db
    .selectFrom('product_categories as category')
    .selectAll('category')
    .select((of) =>
      of
        .selectFrom('product_offers as offer')
        .select((offer) => offer.fn.countAll<string>().as('count'))
        .whereRef('offer.category', '=', 'category.name')
        .as('offers'),
    )
}

type Row = Awaited<ReturnType<ReturnType<typeof categories>['executeTakeFirstOrThrow']>>

async function find(db: Database, categoryId: string): Promise<AdminCategory> {
  const row = await categories(db)
    .where('category.id', '=', categoryId)
    .executeTakeFirstOrThrow(() => new AppError('categories.not_found'))
  return categoryOf(row)
}

function categoryOf({ position: _, offers, ...row }: Row): AdminCategory {
  return {
    ...row,
    regulatory_class: RegulatoryClass.parse(row.regulatory_class),
    offers: Number(offers),
  }
}

function fieldsOf({ name, description, regulatory_class }: AdminCategory): CategoryFields {
  return { name, description, regulatory_class }
}

const nameTaken = rethrowViolationAs(
  'categories.name_taken',
  'product_categories__name_taken',
  'product_categories__name_taken_in_any_case',
)
