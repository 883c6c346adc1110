import { expect, test } from 'vitest'
import { isMedicine, ProductCategory, type RegulatoryClass } from './product-categories.ts'

test.each<[RegulatoryClass, boolean]>([
  ['medicinale_otc_sop', true],
  ['omeopatico', true],
  ['veterinario', false],
  ['dispositivo_medico', false],
  ['libero', false],
])('whether %s is a medicine for people: %s', (regulatoryClass, medicine) => {
  expect(isMedicine(regulatoryClass)).toBe(medicine)
})

test('there are nine categories to begin with', () => {
  expect(ProductCategory.options).toEqual([
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
})
