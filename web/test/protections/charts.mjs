// @ts-check

const charts = 'web/src/ui/charts'
const tests = [`${charts}/charts.test.tsx`]

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'an unknown value of a chart is not read as zero',
    file: `${charts}/chart-data.ts`,
    find: `return value === null || value === undefined ? 'n/d' : formatNumber(value)`,
    replace: 'return formatNumber(value ?? 0)',
    tests,
  },
  {
    name: 'the rows of the table of a chart have heads',
    file: `${charts}/chart-table.tsx`,
    find: '<th scope="row" className={rowHead}>\n              {row.head}\n            </th>',
    replace: '<td className={rowHead}>{row.head}</td>',
    tests,
  },
  {
    name: 'the arrow keys move through the values of a chart',
    file: `${charts}/chart-plot.tsx`,
    find: '          onKeyDown={onKeyDown}\n',
    replace: '',
    tests,
  },
  {
    name: 'screen readers move through the values of a chart',
    file: `${charts}/chart-plot.tsx`,
    find: 'onChange={({ target }) => cursor.show(Number(target.value))}',
    replace: 'readOnly',
    tests,
  },
  {
    name: 'Escape hides the value of a chart',
    file: `${charts}/use-chart-cursor.ts`,
    find: `if (event.key === 'Escape') close()`,
    replace: '',
    tests,
  },
  {
    name: 'the sum of a stacked bar is that of its parts',
    file: `${charts}/chart-data.ts`,
    find: 'known.reduce((sum, value) => sum + value, 0)',
    replace: 'Math.max(...known)',
    tests,
  },
]
