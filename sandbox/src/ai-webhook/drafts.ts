import { findProduct, type Product } from '../products.ts'

export type Reply = { contentType: string; body: string }

/** The workflow's response to a name: all three texts for known products, a description for others. */
export function draft({ productName, category }: { productName: string; category: string }): Reply {
  const product = findProduct(productName)
  const said = product ? worded(product) : { output: describe(productName, category) }
  return { contentType: 'application/json; charset=utf-8', body: JSON.stringify(said) }
}

function worded({ description, price, minsan, wording }: Product): unknown {
  const fields = { Descrizione: description, Prezzo: price, Minsan: minsan }
  const json = JSON.stringify(fields)
  if (wording === 'fields') return fields
  if (wording === 'output') return { output: json }
  if (wording === 'list') return [{ output: json }]
  return { output: `Ecco i dati del prodotto:\n\`\`\`json\n${json}\n\`\`\`` }
}

function describe(productName: string, category: string): string {
  const kind = category === 'Generale' ? 'un prodotto' : `un prodotto della categoria ${category}`
  return (
    `${productName}: ${kind} scelto dalla tua farmacia di fiducia. ` +
    'Vieni a trovarci o scrivici: ti aiutiamo a capire se è adatto a te e come usarlo al meglio.'
  )
}
