import type { CompiledQuery } from 'kysely'
import type { Database } from './database.ts'

/**
 * A query that Kysely builds and compiles once, at its first use: for statements of a hot path, for which that takes
 * longer than sending them. Every connection prepares them by their text (`prepared-client.ts`).
 *
 * @param build builds the query from stand-ins for the arguments, which may only be used as parameters
 * @returns runs the query, on a connection of the pool or in a transaction
 */
export function compiledQuery<Args extends readonly unknown[], Row>(
  build: (db: Database, ...args: Args) => { compile(): CompiledQuery<Row> },
): (db: Database, ...args: Args) => Promise<Row[]> {
  let compiled: { query: CompiledQuery<Row>; places: number[] } | undefined
  function compile(db: Database) {
    const standIns = Array.from({ length: build.length - 1 }, () => Symbol('parameter'))
    // A stand-in is never used as a value.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const query = build(db, ...(standIns as unknown as Args)).compile()
    const places = query.parameters.map((parameter) =>
      typeof parameter === 'symbol' ? standIns.indexOf(parameter) : -1,
    )
    return { query, places }
  }
  return async (db, ...args) => {
    compiled ??= compile(db)
    const { query, places } = compiled
    const parameters = query.parameters.map((constant, n) => {
      const place = places[n] ?? -1
      return place < 0 ? constant : args[place]
    })
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}
