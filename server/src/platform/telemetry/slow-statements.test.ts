import { expect, it } from 'vitest'
import { logSlowStatements } from './slow-statements.ts'

it('logs a statement that is slow again and again once', () => {
  const lines: object[] = []
  const watch = logSlowStatements({ warn: (details) => lines.push(details) }, -1)
  for (let n = 0; n < 3; n += 1) watch('select *\n  from orders where id = $1')()
  watch('select 2')()
  expect(lines).toMatchObject([
    { statement: 'select * from orders where id = $1' },
    { statement: 'select 2' },
  ])
  const fast = logSlowStatements({ warn: (details) => lines.push(details) }, 60_000)
  fast('select 3')()
  expect(lines).toHaveLength(2)
})
