/** Set while tests run without compiled plans. */
export const WITHOUT_PLANS = 'TEST_WITHOUT_PLANS';

export const usesPlans = (): boolean => process.env[WITHOUT_PLANS] === undefined;
