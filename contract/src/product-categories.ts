import { z } from 'zod'
import { endpoint } from './endpoint.ts'

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
  response: z.object({ categories: z.array(Category) }),
  errors: [],
})
