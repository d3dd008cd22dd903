export const beforeCreate = () => {};
