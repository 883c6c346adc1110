import { listProductCategories, ProductCategory } from '@bancone/contract/product-categories'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestServer, testServer } from '../../../test/server.ts'

let server: TestServer
let headers: { authorization: string }

beforeAll(async () => {
  server = await testServer()
  await server.addPharmacy({ email: 'categories@example.it', code: 'CATEGORIES' })
  headers = await server.signIn('categories@example.it')
})

async function list() {
  const reply = await server.app.inject({ url: '/api/product-categories', headers })
  return listProductCategories.response.parse(reply.json()).categories
}

describe('the categories of products', () => {
  it('are the nine fixed ones in their order, with what the law takes them for', async () => {
    const categories = await list()
    expect(categories.map(({ name }) => name)).toEqual(ProductCategory.options)
    expect(
      categories
        .filter(({ regulatoryClass }) => regulatoryClass !== 'libero')
        .map(({ name, regulatoryClass }) => [name, regulatoryClass]),
    ).toEqual([
      ['Farmaci da banco', 'medicinale_otc_sop'],
      ['Veterinaria', 'veterinario'],
      ['Omeopatia', 'omeopatico'],
      ['Dispositivi medici', 'dispositivo_medico'],
    ])
  })

  it('have those that are added after them, by name', async () => {
    await server.database.pool.query(
      "insert into product_categories (name) values ('Ottica'), ('Calzature')",
    )
    expect((await list()).map(({ name }) => name).slice(9)).toEqual(['Calzature', 'Ottica'])
  })
})
