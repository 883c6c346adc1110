import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Endpoint } from '@bancone/contract/endpoint'

const folder = fileURLToPath(new URL('../../contract/src/', import.meta.url))
const names = readdirSync(folder).flatMap((file) => /^([^.]+)\.ts$/.exec(file)?.[1] ?? [])
const modules: object[] = await Promise.all(
  names.map((name): Promise<object> => import(`@bancone/contract/${name}`)),
)

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'access' in value
}

const keyOf = ({ path, method }: Endpoint) => `${path} ${method}`

/** Every endpoint of the contract, by its path. */
export const endpoints: readonly Endpoint[] = modules
  .flatMap((module): unknown[] => Object.values(module))
  .filter(isEndpoint)
  .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
