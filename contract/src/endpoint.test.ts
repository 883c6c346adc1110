import { expect, it } from 'vitest'
import { endpoints } from './api.ts'

it('records changes that administrators or owners alone may make, unless they are recorded with another one', () => {
  const changing = endpoints.filter(
    ({ method, access, role }) => method !== 'GET' && (access === 'admin' || role === 'owner'),
  )
  expect(changing.length).toBeGreaterThanOrEqual(40)
  const unrecorded = changing.flatMap(({ method, path, audit }) =>
    typeof audit === 'string' || /^(reads$|recorded with )/.test(audit?.none ?? '')
      ? []
      : [`${method} ${path}`],
  )
  expect(unrecorded).toEqual([])
})
