import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { optionalText } from './optional-text.ts'

/** The initial product categories. */
export const ProductCategory = z.enum([
  'Farmaci da banco',
  'Integratori',
  'Cosmetici',
  'Igiene personale',
  'Mamma e bambino',
  'Veterinaria',
  'Omeopatia',
  'Dispositivi medici',
  'Altro',
])
export type ProductCategory = z.infer<typeof ProductCategory>

/** The regulatory class of the products of a category. `libero`: unregulated. */
export const RegulatoryClass = z.enum([
  'medicinale_otc_sop',
  'dispositivo_medico',
  'omeopatico',
  'veterinario',
  'libero',
])
export type RegulatoryClass = z.infer<typeof RegulatoryClass>

/**
 * Whether the products are medicines for human use. The public may see only their name, package and price (D.Lgs.
 * 219/2006, art. 115 to 120), and customers reserve them instead of ordering.
 */
export function isMedicine(regulatoryClass: RegulatoryClass): boolean {
  return regulatoryClass === 'medicinale_otc_sop' || regulatoryClass === 'omeopatico'
}

export const Category = z.object({
  id: z.uuid(),
  name: z.string(),
  regulatoryClass: RegulatoryClass,
})
export type Category = z.infer<typeof Category>

/** The categories in display order. */
export const listProductCategories = endpoint({
  method: 'GET',
  path: '/api/product-categories',
  summary: 'List the product categories',
  access: 'pharmacy',
  supportSession: 'shown',
  response: z.object({ categories: z.array(Category) }),
  errors: [],
})

/** A category as administrators see it, with the names of its columns. Times are ISO 8601. */
export const AdminCategory = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.nullable(z.string()),
  regulatory_class: RegulatoryClass,
  created_at: z.string(),
  updated_at: z.string(),
  /** The number of offers in it, of all pharmacies and in any state. */
  offers: z.int(),
})
export type AdminCategory = z.infer<typeof AdminCategory>

export const CategoryFields = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  description: optionalText(1_000),
  regulatory_class: z._default(RegulatoryClass, 'libero'),
})
export type CategoryFields = z.infer<typeof CategoryFields>

const params = z.object({ categoryId: z.uuid() })
const response = z.object({ category: AdminCategory })

export const listAdminCategories = endpoint({
  method: 'GET',
  path: '/api/admin/product-categories',
  summary: 'List the product categories by name, with the number of their offers',
  access: 'admin',
  response: z.object({ categories: z.array(AdminCategory) }),
  errors: [],
})

export const createCategory = endpoint({
  method: 'POST',
  path: '/api/admin/product-categories',
  summary: 'Create a product category',
  access: 'admin',
  audit: 'category_created',
  body: CategoryFields,
  response,
  status: 201,
  errors: ['categories.name_taken'],
})

/** Offers follow a new name. A regulatory class of medicines hides offers in it that may not be published. */
export const changeCategory = endpoint({
  method: 'PUT',
  path: '/api/admin/product-categories/:categoryId',
  summary: 'Change a product category',
  access: 'admin',
  audit: 'category_changed',
  params,
  body: CategoryFields,
  response,
  errors: ['categories.not_found', 'categories.name_taken'],
})

/** Refused with the number of offers, `details: { offers }`, while any is in it. */
export const removeCategory = endpoint({
  method: 'DELETE',
  path: '/api/admin/product-categories/:categoryId',
  summary: 'Delete a product category without offers',
  access: 'admin',
  audit: 'category_deleted',
  params,
  response: z.object({}),
  errors: ['categories.not_found', 'categories.in_use'],
})
