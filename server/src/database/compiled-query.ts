import type { CompiledQuery } from 'kysely'
import type { Database } from './database.ts'

/**
 * A query that Kysely builds and compiles once: for statements of a hot path, for which that takes longer than sending
 * them. Every connection prepares them by their text (`prepared-client.ts`).
 *
 * @param build builds the query from stand-ins for the arguments, which may only be used as parameters
 */
export function compiledQuery<Args extends readonly unknown[], Row>(
  db: Database,
  build: (...args: Args) => { compile(): CompiledQuery<Row> },
): (...args: Args) => Promise<Row[]> {
  const standIns = Array.from({ length: build.length }, () => Symbol('parameter'))
  // A stand-in is never used as a value.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const query = build(...(standIns as unknown as Args)).compile()
  const places = query.parameters.map((parameter) =>
    typeof parameter === 'symbol' ? standIns.indexOf(parameter) : -1,
  )
  return async (...args) => {
    const parameters = query.parameters.map((constant, n) => {
      const place = places[n] ?? -1
      return place < 0 ? constant : args[place]
    })
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}
