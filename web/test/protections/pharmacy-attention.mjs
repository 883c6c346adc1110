// @ts-check

const features = 'web/src/features'

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'the light of a pharmacy is said in words, and not by its colour alone',
    file: `${features}/pharmacy-overview/overview-parts.tsx`,
    find: '<span className="sr-only">{name}: </span>',
    replace: '',
    tests: [`${features}/pharmacy-overview/overview-page.test.tsx`],
  },
  {
    name: 'after a reset of the second factor the button shows that there is none',
    file: `${features}/pharmacy-actions/confirm-dialogs.tsx`,
    find: 'client.setQueryData(endpointKey(getPharmacyAccount, { params: { pharmacyId } }), changed)',
    replace: 'void [client, changed, endpointKey, getPharmacyAccount]',
    tests: [`${features}/pharmacy-actions/pharmacy-actions.test.tsx`],
  },
]
