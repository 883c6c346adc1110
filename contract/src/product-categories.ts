import { z } from 'zod'

/** What a product of a pharmacy can be. Fixed: offers are filtered by them. */
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
