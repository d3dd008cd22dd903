export const beforeCreate = () => {};
export const afterDelete = () => {};
