// @ts-check

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a CSV cell that a spreadsheet would take for a formula is made text',
    file: 'server/src/platform/spreadsheets/csv-file.ts',
    find: "return column.kind === 'phone' ? telephone(text) : spreadsheetText(text)",
    replace: "return column.kind === 'phone' ? telephone(text) : text",
    tests: ['server/src/features/orders/exports/order-export-files.test.ts'],
  },
  {
    name: 'the export file of another pharmacy is not found',
    file: 'server/src/features/orders/exports/order-exports.store.ts',
    find: 'sql<boolean>`pharmacy_id = ${pharmacyId}\n    and id = ${id} and',
    replace: "sql<boolean>`${pharmacyId} <> ''\n    and id = ${id} and",
    tests: ['server/test/other-pharmacy.test.ts'],
  },
  {
    name: 'exports that are asked for at the same time keep to their limit',
    file: 'server/src/features/orders/exports/order-exports.store.ts',
    find: 'await lockPharmacy(tx, pharmacyId)',
    replace: '',
    tests: ['server/src/features/orders/exports/order-exports.test.ts'],
  },
  {
    name: 'the download of an export ends when the export is cancelled',
    file: 'server/src/features/orders/exports/order-export-progress.ts',
    find: 'if (!isUnderWay && !isOver) cancelled.abort()',
    replace: '',
    tests: ['server/src/features/orders/exports/order-export-progress.test.ts'],
  },
]
