console.log('nodded');
