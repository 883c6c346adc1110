import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** What a product of a pharmacy can be, as long as nobody adds to it. */
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

/** What the law takes the products of a category for. `libero`: for nothing in particular. */
export const RegulatoryClass = z.enum([
  'medicinale_otc_sop',
  'dispositivo_medico',
  'omeopatico',
  'veterinario',
  'libero',
])
export type RegulatoryClass = z.infer<typeof RegulatoryClass>

/**
 * Whether they are medicines for people: those may be shown to the public with name, pack and price alone (D.Lgs.
 * 219/2006, art. 115 to 120), and are reserved, not ordered.
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

/** In the order in which they are offered to be chosen. */
export const listProductCategories = endpoint({
  method: 'GET',
  path: '/api/product-categories',
  summary: 'The categories of products',
  access: 'pharmacy',
  response: z.object({ categories: z.array(Category) }),
  errors: [],
})
