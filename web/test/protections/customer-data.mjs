// @ts-check

const feature = 'web/src/features/customer-data'
const tests = [`${feature}/customer-data-page.test.tsx`]

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: "the copy of a customer's data escapes their texts",
    file: `${feature}/customer-copy.ts`,
    find: '<dd>${escapeHtml(value)}</dd>',
    replace: '<dd>${value}</dd>',
    tests,
  },
  {
    name: "a customer's data are not shown for another number",
    file: `${feature}/search-form.tsx`,
    find: "if (form.getValues('phone') === asked) onFound(counts)",
    replace: 'onFound(counts)',
    tests,
  },
  {
    name: "a copy of a customer's data is not saved once another number is there",
    file: `${feature}/customer-actions.tsx`,
    find: 'if (!isShown.current) return\n',
    replace: '\n',
    tests,
  },
  {
    name: "what is found of a customer disappears with the number's first change",
    file: `${feature}/search-form.tsx`,
    find: '{ onChange: () => onFound(null) }',
    replace: '{ onChange: () => undefined }',
    tests,
  },
]
