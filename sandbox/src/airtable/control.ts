import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { invalidRequest, notFound } from './api-error.ts'
import type { createCounts } from './counts.ts'
import { Failure, type Failures } from './failures.ts'
import { pathSegments, readJson } from './http.ts'
import type { Table } from './table.ts'

const Fields = z.record(z.string(), z.unknown())
const Creations = z.object({
  records: z.array(z.object({ fields: Fields, createdTime: z.number().optional() })),
})
const Update = z.object({ fields: Fields })

type Dependencies = {
  failures: Failures
  counts: ReturnType<typeof createCounts>
  findTable: (base: string, table: string) => Table | undefined
}

/**
 * The control API, without token, limits and failures, for tests in other processes.
 * - `/_control`: GET returns the failure mode and the counts, POST sets the failure
 * - `/_control/records/{base}/{table}`: GET returns the records, POST adds records with any creation time
 * - `/_control/records/{base}/{table}/{id}`: PATCH and DELETE
 */
export function createControl({ failures, counts, findTable }: Dependencies) {
  async function records(request: IncomingMessage, path: string[]): Promise<unknown> {
    const [base = '', name = '', id] = path
    const table = findTable(base, name)
    if (!table || path.length > 3) throw notFound()
    const call = `${request.method} ${id === undefined ? 'all' : 'one'}`
    switch (call) {
      case 'GET all':
        return table.records().map((record) => table.show(record))
      case 'POST all': {
        const { records: given } = parse(Creations, await readJson(request))
        return { ids: table.create(given).map((record) => record.id) }
      }
      case 'PATCH one': {
        const { fields } = parse(Update, await readJson(request))
        return table.show(table.update(id ?? '', fields))
      }
      case 'DELETE one':
        table.remove(id ?? '')
        return { id, deleted: true }
      default:
        throw notFound()
    }
  }

  return async (request: IncomingMessage, target: URL): Promise<unknown> => {
    const [, what, ...path] = pathSegments(target)
    if (what === 'records') return records(request, path)
    if (what !== undefined) throw notFound()
    if (request.method === 'POST') failures.set(parse(Failure, await readJson(request)))
    return { mode: failures.mode(), requests: counts.now() }
  }
}

function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (!result.success) throw invalidRequest()
  return result.data
}
