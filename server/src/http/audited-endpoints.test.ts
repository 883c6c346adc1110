import { endpoints } from '@bancone/contract/api'
import { describe, expect, it } from 'vitest'
import { auditedEndpoints, unauditedEndpoints } from './audited-endpoints.ts'

const changing = endpoints.filter(({ method }) => method !== 'GET')
const nameOf = ({ method, path }: (typeof changing)[number]) => `${method} ${path}`

describe('an endpoint that is no GET', () => {
  it('is recorded in the audit log, or it is stated why not', () => {
    expect(changing.length).toBeGreaterThanOrEqual(40)
    const unclear = changing
      .map(nameOf)
      .filter((name) => name in auditedEndpoints === name in unauditedEndpoints)
    expect(unclear).toEqual([])
  })

  it('is recorded where administrators or owners alone may call it, unless it only reads or belongs to another change', () => {
    const left = changing
      .filter(({ access, role }) => access === 'admin' || role === 'owner')
      .map(nameOf)
      .filter((name) => !/^(reads$|recorded with )/.test(unauditedEndpoints[name] ?? 'reads'))
    expect(left).toEqual([])
  })
})
