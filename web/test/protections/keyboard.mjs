// @ts-check

const routes = 'web/src/app/routes'
const features = 'web/src/features'

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'shortcuts do nothing while one types in a field',
    file: 'web/src/lib/shortcuts.ts',
    find: ' || capturesKeys(target)',
    replace: '',
    tests: [`${routes}/dashboard-keyboard.test.tsx`],
  },
  {
    name: 'shortcuts do nothing behind an open dialog',
    file: `${features}/orders/use-order-keys.ts`,
    find: 'hasOverlay() ? null : ',
    replace: '',
    tests: [`${routes}/dashboard-keyboard.test.tsx`],
  },
  {
    name: 'a key on the closed status list does not change the status',
    file: `${features}/orders/status-select.tsx`,
    find: '  event.preventDefault()\n  select.showPicker()',
    replace: '  select.showPicker()',
    tests: [`${routes}/dashboard-status.test.tsx`],
  },
  {
    name: 'Escape cancels a drag by keys without closing the sheet',
    file: `${features}/offers/arrange/arrange-sheet.tsx`,
    find: 'if (!dragging.current) entry.leave()',
    replace: 'entry.leave()',
    tests: [`${routes}/offers-order.test.tsx`],
  },
  {
    name: 'after an offer is removed the offer in its place gets the focus',
    file: `${features}/offers/offer-focus.ts`,
    find: `opener.isConnected ? opener.focus() : focusPosition(position, '[aria-haspopup=menu]')`,
    replace: 'opener.focus()',
    tests: [`${routes}/offers.test.tsx`],
  },
  {
    name: 'a menu or panel that closes gives the focus back to its button',
    file: 'web/src/ui/use-menu-state.ts',
    find: '    if (list.current?.contains(document.activeElement)) button.current?.focus()\n',
    replace: '',
    tests: [`${routes}/dashboard-filters.test.tsx`],
  },
  {
    name: 'a public dialog that closes gives the focus back to what opened it',
    file: `${features}/public-offers/modal.tsx`,
    find: '      returnFocus.current()\n',
    replace: '',
    tests: [`${features}/public-offers/offer-dialog.test.tsx`],
  },
  {
    name: 'offers are dragged with the pointer, too',
    file: `${features}/offers/arrange/sortable-list.tsx`,
    find: '    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_PX } }),\n',
    replace: '',
    tests: ['e2e/offers.test.ts'],
    only: 'the order is made by dragging and with the keyboard',
  },
]
