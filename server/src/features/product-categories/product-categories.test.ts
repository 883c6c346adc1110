import {
  createCategory,
  listAdminCategories,
  listProductCategories,
  ProductCategory,
} from '@bancone/contract/product-categories'
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

describe('the administration of categories', () => {
  let administrator: { authorization: string }
  beforeAll(async () => {
    await server.addAdministrator({ email: 'categories-admin@example.it' })
    administrator = await server.signIn('categories-admin@example.it')
  })

  const path = '/api/admin/product-categories'
  const ask = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) => {
    const call = { method, url, headers: administrator, ...(payload && { payload }) }
    const reply = await server.app.inject(call)
    return { status: reply.statusCode, body: reply.json<object>() }
  }
  const add = async (name: string) => {
    const { body } = await ask('POST', path, { name, description: '  ' })
    return createCategory.response.parse(body).category
  }

  it('lists them with the number of their offers, which follow a new name', async () => {
    const made = await add(' Profumi ')
    expect(made).toMatchObject({
      name: 'Profumi',
      description: null,
      regulatory_class: 'libero',
      offers: 0,
    })
    await server.database.pool.query(
      `insert into product_offers (pharmacy_id, pharmacy_code, product_name, category, list_price, offer_price,
         start_date, image_url)
       select id, pharmacy_id, 'Colonia', 'Profumi', 200, 100, current_date, '/placeholder.webp'
       from pharmacies limit 1`,
    )
    const fields = { name: 'Profumeria', description: 'Acque', regulatory_class: 'libero' }
    const { body } = await ask('PUT', `${path}/${made.id}`, fields)
    expect(body).toMatchObject({ category: { ...fields, offers: 1 } })
    const { rows } = await server.database.pool.query('select category from product_offers')
    expect(rows).toEqual([{ category: 'Profumeria' }])
    const { categories } = listAdminCategories.response.parse((await ask('GET', path)).body)
    expect(categories.map(({ name }) => name)).toContain('Profumeria')
    expect(await ask('DELETE', `${path}/${made.id}`)).toMatchObject({
      status: 409,
      body: { code: 'categories.in_use', details: { offers: 1 } },
    })
  })

  it('deletes one without offers, and takes each name once', async () => {
    const made = await add('Candele')
    const taken = { status: 409, body: { code: 'categories.name_taken' } }
    expect(await ask('POST', path, { name: 'candele' })).toMatchObject(taken)
    expect(await ask('PUT', `${path}/${made.id}`, { name: 'ALTRO' })).toMatchObject(taken)
    expect(await ask('DELETE', `${path}/${made.id}`)).toMatchObject({ status: 200 })
    const gone = { status: 404, body: { code: 'categories.not_found' } }
    expect(await ask('DELETE', `${path}/${made.id}`)).toMatchObject(gone)
    expect(await ask('PUT', `${path}/${made.id}`, { name: 'Candele' })).toMatchObject(gone)
  })
})
